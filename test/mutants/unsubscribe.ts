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

/** Responses to unsubscribes, and what follows. */
export const unsubscribeMutants: Mutant[] = [
  changeContacts("UNSUB-9", "an unsubscribe returns only ok", () => ({ ok: true }), isUnsubscribe),
  changeContacts(
    "UNSUB-9",
    "an unsubscribe from one list returns its membership",
    (record) => membershipsOf({ body: record })[0],
    isFromOne,
  ),
  changeContacts(
    "UNSUB-9",
    "an unsubscribe returns the record in data",
    (record) => ({ data: record }),
    isUnsubscribe,
  ),
  changeResponses("UNSUB-9", "an unsubscribe returns 204 without a body", (response, request) => {
    if (!isUnsubscribe(request) || !isSuccess(response)) return undefined;
    const { "content-type": _, ...headers } = response.headers;
    return { status: 204, headers, body: undefined };
  }),
  afterLeaving("UNSUB-10", "an upsert reverts unsubscribing from everything", (record, posts) =>
    posts === 0 ? record : { ...changedOnly(back)(record), marketing_blocked: false },
  ),
  afterLeaving(
    "UNSUB-10",
    "an upsert subscribes a contact unsubscribed from everything to a further list",
    (record, posts) =>
      posts < 2 ? record : changedOnly((one) => (one.list_id === 3 ? back(one) : one))(record),
  ),
  {
    requirement: "UNSUB-10",
    title: "unsubscribing from a second list reverts the first",
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
    "a nonexistent list",
    (body) => (Number(body.list_id) > 1000 ? without(body, "list_id") : undefined),
    isUnsubscribe,
  ),
  respondInstead("UNSUB-12", "a list of another account returns 422", (request) =>
    isFromOne(request) && objectOf(request.body).list_id === 11
      ? errorResponse(422, "invalid_request", "list_id")
      : undefined,
  ),
  {
    requirement: "UNSUB-12",
    title: "unsubscribing from a list of another account returns 404, but unsubscribes from everything",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (isFromOne(request) && objectOf(request.body).list_id === 11) await next({ ...request, body: {} });
      return response;
    },
  },
];
