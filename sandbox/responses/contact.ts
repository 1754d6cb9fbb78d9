import type { Contact, Membership, MembershipStatus } from "../domain/records.ts";
import { writeTimeOrNull } from "../domain/times.ts";

/** `status_description` by status. */
const descriptions: Readonly<Record<MembershipStatus, string>> = {
  pending: "Waiting for the contact to confirm by email.",
  subscribed: "Receives the emails of this list.",
  unsubscribed: "Has left this list.",
  cleaned: "Rested after a long stretch without engaging.",
  complained: "Marked an email of this list as spam.",
};

export function renderMembership(contact: Contact, membership: Membership): string {
  return JSON.stringify(view(contact, membership));
}

export function renderContact(contact: Contact): string {
  return JSON.stringify({
    email: contact.email,
    marketing_blocked: contact.marketingBlocked,
    lists: contact.memberships.map((membership) => view(contact, membership)),
  });
}

const view = (contact: Contact, membership: Membership) => ({
  list_id: membership.listId,
  email: contact.email,
  status: membership.status,
  status_description: descriptions[membership.status],
  first_name: contact.firstName,
  last_name: contact.lastName,
  fields: contact.fields,
  tags: contact.tags,
  subscribed_at: writeTimeOrNull(membership.subscribedAt),
  unsubscribed_at: writeTimeOrNull(membership.unsubscribedAt),
});
