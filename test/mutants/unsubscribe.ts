import { changeResponses, type Mutant, respondInstead } from "./mutant.ts";
import {
  acceptsContact,
  changeContacts,
  emailOf,
  errorResponse,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  membershipsOf,
  objectOf,
  without,
} from "./newsletter.ts";
import { afterLeaving, back, changed, changedOnly, isFromOne } from "./unsubscribe-support.ts";

/** What is wrong with what leaving is answered with, and with what comes after it. */
export const unsubscribeMutants: Mutant[] = [
  changeContacts("UNSUB-9", "leaving is answered with nothing but ok", () => ({ ok: true }), isUnsubscribe),
  changeContacts(
    "UNSUB-9",
    "leaving one list is answered with its membership",
    (record) => membershipsOf({ body: record })[0],
    isFromOne,
  ),
  changeContacts(
    "UNSUB-9",
    "leaving is answered with the record in data",
    (record) => ({ data: record }),
    isUnsubscribe,
  ),
  changeResponses("UNSUB-9", "leaving is answered 204 without a body", (response, request) => {
    if (!isUnsubscribe(request) || !isSuccess(response)) return undefined;
    const { "content-type": _, ...headers } = response.headers;
    return { status: 204, headers, body: undefined };
  }),
  afterLeaving("UNSUB-10", "a post undoes leaving everything", (record, posts) =>
    posts === 0 ? record : { ...changedOnly(back)(record), marketing_blocked: false },
  ),
  afterLeaving(
    "UNSUB-10",
    "a post to a further list puts a contact that left everything on it",
    (record, posts) =>
      posts < 2 ? record : changedOnly((one) => (one.list_id === 3 ? back(one) : one))(record),
  ),
  {
    requirement: "UNSUB-10",
    title: "leaving a second list undoes leaving the first",
    intercept: () => {
      const last = new Map<string, unknown>();
      return async (request, next) => {
        const response = await next(request);
        if (isFromOne(request)) last.set(emailOf(request), objectOf(request.body).list_id);
        const list = last.get(emailOf(request));
        if (!isContactLookup(request) || list === undefined || !isSuccess(response)) return response;
        return {
          ...response,
          body: changed((one) => (one.list_id === list ? one : back(one)))(objectOf(response.body), request),
        };
      };
    },
  },
  acceptsContact(
    "UNSUB-12",
    "a list of another account",
    (body) => (body.list_id === 11 ? without(body, "list_id") : undefined),
    isUnsubscribe,
  ),
  acceptsContact(
    "UNSUB-12",
    "a list that is not there",
    (body) => (Number(body.list_id) > 1000 ? without(body, "list_id") : undefined),
    isUnsubscribe,
  ),
  respondInstead("UNSUB-12", "a list of another account is answered 422", (request) =>
    isFromOne(request) && objectOf(request.body).list_id === 11
      ? errorResponse(422, "invalid_request", "list_id")
      : undefined,
  ),
  {
    requirement: "UNSUB-12",
    title: "leaving a list of another account is answered 404, and yet leaves everything",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (isFromOne(request) && objectOf(request.body).list_id === 11) await next({ ...request, body: {} });
      return response;
    },
  },
];
