import { withMembership } from "./contacts.ts";
import { nextMembershipStatus } from "./membership-states.ts";
import type { Contact, Membership } from "./records.ts";

/** Unsubscribes a contact from everything, for good. */
export function unsubscribeAll(contact: Contact, reason: string | null, now: number): Contact {
  const memberships = contact.memberships.map((membership) =>
    leave(membership, "unsubscribe from everything", reason, now),
  );
  return { ...contact, marketingBlocked: true, memberships };
}

/** Unsubscribes a contact from one list; undefined if it is not on the list. */
export function unsubscribeFrom(
  contact: Contact,
  listId: number,
  reason: string | null,
  now: number,
): Contact | undefined {
  const membership = contact.memberships.find((candidate) => candidate.listId === listId);
  if (membership === undefined) return undefined;
  return withMembership(contact, leave(membership, "unsubscribe from one list", reason, now));
}

function leave(
  membership: Membership,
  on: "unsubscribe from everything" | "unsubscribe from one list",
  reason: string | null,
  now: number,
): Membership {
  return {
    ...membership,
    status: nextMembershipStatus(membership.status, on) ?? membership.status,
    // An earlier unsubscribe keeps its time.
    unsubscribedAt: membership.status === "unsubscribed" ? membership.unsubscribedAt : now,
    reason: reason ?? membership.reason,
    // A later confirmation must not put the contact back.
    confirmation: null,
  };
}
