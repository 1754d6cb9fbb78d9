import type { Mutant } from "./mutant.ts";
import {
  acceptsContact,
  changeContacts,
  emailOf,
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
  changeContacts(
    "UNSUB-9",
    "an unsubscribe from one list returns its membership",
    (record) => membershipsOf({ body: record })[0],
    isFromOne,
  ),
  afterLeaving("UNSUB-10", "an upsert reverts unsubscribing from everything", (record, posts) =>
    posts === 0 ? record : { ...changedOnly(back)(record), marketing_blocked: false },
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
    "a nonexistent list",
    (body) => (Number(body.list_id) > 1000 ? without(body, "list_id") : undefined),
    isUnsubscribe,
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
