import { type Mutant, respondInstead } from "./mutant.ts";
import { changeUpserts, emailOf, errorResponse, isSuccess, isUpsert } from "./newsletter.ts";

/** Responses to upserts. */
export const contactsMutants: Mutant[] = [
  changeUpserts("CONT-1", "adding a contact returns 200", (response) => ({ ...response, status: 200 })),
  changeUpserts("CONT-1", "adding a contact returns 202", (response) =>
    response.status === 201 ? { ...response, status: 202 } : undefined,
  ),
  changeUpserts(
    "CONT-1",
    "adding a contact to a list with double opt-in returns 200",
    (response, { status }) =>
      response.status === 201 && status === "pending" ? { ...response, status: 200 } : undefined,
  ),
  {
    requirement: "CONT-1",
    title: "adding a contact of another list returns 200",
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
  changeUpserts("CONT-2", "updating a contact returns 201", (response) => ({ ...response, status: 201 })),
  changeUpserts("CONT-2", "updating a pending contact returns 201", (response, { status }) =>
    status === "pending" ? { ...response, status: 201 } : undefined,
  ),
  changeUpserts("CONT-2", "updating an unsubscribed contact returns 201", (response, { status }) =>
    status === "unsubscribed" ? { ...response, status: 201 } : undefined,
  ),
  respondInstead("CONT-2", "updating a contact returns 409", (request, next) =>
    isUpsert(request)
      ? next(request).then((response) =>
          response.status === 200 ? errorResponse(409, "conflict") : response,
        )
      : undefined,
  ),
  changeUpserts("CONT-3", "an upsert returns the contact record", (response, membership) => ({
    ...response,
    body: { email: membership.email, marketing_blocked: false, lists: [membership] },
  })),
  changeUpserts("CONT-3", "an update returns only ok", (response) =>
    response.status === 200 ? { ...response, body: { ok: true } } : undefined,
  ),
  changeUpserts("CONT-3", "an upsert returns the membership in data", (response, membership) => ({
    ...response,
    body: { data: membership },
  })),
  changeUpserts("CONT-4", "a contact added through the API is not pending", (response, membership) =>
    membership.status === "pending"
      ? {
          ...response,
          body: { ...membership, status: "subscribed", subscribed_at: new Date().toISOString() },
        }
      : undefined,
  ),
];
