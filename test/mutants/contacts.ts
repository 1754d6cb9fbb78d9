import { type Mutant, respondInstead } from "./mutant.ts";
import { changeUpserts, emailOf, errorResponse, isSuccess, isUpsert } from "./newsletter.ts";

/** What a post is answered with. */
export const contactsMutants: Mutant[] = [
  changeUpserts("CONT-1", "adding a contact is answered 200", (response) => ({ ...response, status: 200 })),
  changeUpserts("CONT-1", "adding a contact is answered 202", (response) =>
    response.status === 201 ? { ...response, status: 202 } : undefined,
  ),
  changeUpserts(
    "CONT-1",
    "adding a contact to a list with double opt-in is answered 200",
    (response, { status }) =>
      response.status === 201 && status === "pending" ? { ...response, status: 200 } : undefined,
  ),
  {
    requirement: "CONT-1",
    title: "adding a contact of another list is answered 200",
    intercept: () => {
      const known = new Set<string>();
      return async (request, next) => {
        const response = await next(request);
        if (!isUpsert(request) || !isSuccess(response)) return response;
        const isKnown = known.has(emailOf(request));
        known.add(emailOf(request));
        return isKnown ? { ...response, status: 200 } : response;
      };
    },
  },
  changeUpserts("CONT-2", "updating a contact is answered 201", (response) => ({ ...response, status: 201 })),
  changeUpserts("CONT-2", "updating a pending contact is answered 201", (response, { status }) =>
    status === "pending" ? { ...response, status: 201 } : undefined,
  ),
  changeUpserts("CONT-2", "updating a contact that left is answered 201", (response, { status }) =>
    status === "unsubscribed" ? { ...response, status: 201 } : undefined,
  ),
  respondInstead("CONT-2", "posting an address again is refused with 409", (request, next) =>
    isUpsert(request)
      ? next(request).then((response) =>
          response.status === 200 ? errorResponse(409, "conflict") : response,
        )
      : undefined,
  ),
  changeUpserts("CONT-3", "a post is answered with the record of the contact", (response, membership) => ({
    ...response,
    body: { email: membership.email, marketing_blocked: false, lists: [membership] },
  })),
  changeUpserts("CONT-3", "an update is answered with nothing but ok", (response) =>
    response.status === 200 ? { ...response, body: { ok: true } } : undefined,
  ),
  changeUpserts("CONT-3", "a post is answered with the membership under data", (response, membership) => ({
    ...response,
    body: { data: membership },
  })),
  changeUpserts("CONT-4", "a contact added through the API need not confirm", (response, membership) =>
    membership.status === "pending"
      ? {
          ...response,
          body: { ...membership, status: "subscribed", subscribed_at: new Date().toISOString() },
        }
      : undefined,
  ),
];
