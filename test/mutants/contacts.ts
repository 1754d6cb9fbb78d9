import type { Mutant } from "./mutant.ts";
import { changeUpserts } from "./newsletter.ts";

/** Responses to upserts. */
export const contactsMutants: Mutant[] = [
  changeUpserts(
    "CONT-1",
    "adding a contact to a list with double opt-in returns 200",
    (response, { status }) =>
      response.status === 201 && status === "pending" ? { ...response, status: 200 } : undefined,
  ),
  changeUpserts("CONT-2", "updating a pending contact returns 201", (response, { status }) =>
    status === "pending" ? { ...response, status: 201 } : undefined,
  ),
  changeUpserts("CONT-2", "updating an unsubscribed contact returns 201", (response, { status }) =>
    status === "unsubscribed" ? { ...response, status: 201 } : undefined,
  ),
  changeUpserts("CONT-3", "an upsert returns the contact record", (response, membership) => ({
    ...response,
    body: { email: membership.email, marketing_blocked: false, lists: [membership] },
  })),
  changeUpserts("CONT-3", "an update returns only ok", (response) =>
    response.status === 200 ? { ...response, body: { ok: true } } : undefined,
  ),
  changeUpserts("CONT-4", "a contact added through the API is not pending", (response, membership) =>
    membership.status === "pending"
      ? {
          ...response,
          body: { ...membership, status: "subscribed", subscribed_at: new Date().toISOString() },
        }
      : undefined,
  ),
];
