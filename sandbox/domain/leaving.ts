import { withMembership } from "./contacts.ts";
import { nextMembershipStatus } from "./membership-states.ts";
import type { Contact, Membership } from "./records.ts";

/** Takes a contact off everything, for good. */
export function unsubscribeAll(contact: Contact, reason: string | null, now: number): Contact {
  const memberships = contact.memberships.map((membership) =>
    leave(membership, "unsubscribe from everything", reason, now),
  );
  return { ...contact, marketingBlocked: true, memberships };
}

/** Takes a contact off one list; undefined when it is not on it. */
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
    // Who left before left then, not now.
    unsubscribedAt: membership.status === "unsubscribed" ? membership.unsubscribedAt : now,
    reason: reason ?? membership.reason,
    // A confirmation clicked later must not put anybody back.
    confirmation: null,
  };
}
