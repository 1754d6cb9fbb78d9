import type { components } from "../../generated/types.ts";
import { nextMembershipStatus } from "./membership-states.ts";
import type { Consent, Contact, Membership, NewsletterList } from "./records.ts";

export type ContactRequest = components["schemas"]["ContactRequest"];

/** What a request says about a contact. */
type ContactInput = Omit<ContactRequest, "email" | "list_id">;

const newContact = (accountId: string, email: string): Contact => ({
  accountId,
  email,
  firstName: null,
  lastName: null,
  fields: {},
  tags: [],
  marketingBlocked: false,
  memberships: [],
});

export interface Added {
  contact: Contact;
  membership: Membership;
  /** Whether the contact was not on the list before. */
  created: boolean;
}

/**
 * Adds a contact to a list, or updates it there. A contact who left is never put back, and one who left everything gets no email of
 * another list either.
 *
 * @param token creates the token of a confirmation
 */
export function addContact(
  known: Contact | undefined,
  address: { accountId: string; email: string },
  list: NewsletterList,
  input: ContactInput,
  now: number,
  token: () => string,
): Added {
  const contact = updateDetails(known ?? newContact(address.accountId, address.email), input);
  const existing = contact.memberships.find((membership) => membership.listId === list.id);
  const consent = consentOf(input, now);
  if (existing !== undefined) {
    const membership = input.consent ? { ...existing, consents: [...existing.consents, consent] } : existing;
    return { contact: withMembership(contact, membership), membership, created: false };
  }
  const membership = join(contact.marketingBlocked, list, consent, token);
  return { contact: withMembership(contact, membership), membership, created: true };
}

function join(blocked: boolean, list: NewsletterList, consent: Consent, token: () => string): Membership {
  const on = blocked ? "add after leaving everything" : list.doubleOptIn ? "add with confirmation" : "add";
  const status = nextMembershipStatus(null, on) ?? "unsubscribed";
  return {
    listId: list.id,
    status,
    subscribedAt: status === "subscribed" ? consent.at : null,
    unsubscribedAt: status === "unsubscribed" ? consent.at : null,
    consents: [consent],
    reason: null,
    confirmation: status === "pending" ? token() : null,
  };
}

const consentOf = ({ consent = {} }: ContactInput, at: number): Consent => ({
  detail: consent.detail ?? "Added through the API.",
  ip: consent.ip ?? null,
  userAgent: consent.user_agent ?? null,
  at,
});

function updateDetails(contact: Contact, input: ContactInput): Contact {
  return {
    ...contact,
    firstName: input.first_name ?? contact.firstName,
    lastName: input.last_name ?? contact.lastName,
    fields: mergeFields(contact.fields, input.fields ?? {}),
    // Tags are added, never removed.
    tags: [...new Set([...contact.tags, ...(input.tags ?? [])])],
  };
}

function mergeFields(
  fields: Contact["fields"],
  given: Record<string, string | number | null>,
): Contact["fields"] {
  const merged = new Map(Object.entries(fields));
  for (const [key, value] of Object.entries(given)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** The contact with a membership added, or replaced on its list. */
export function withMembership(contact: Contact, membership: Membership): Contact {
  const known = contact.memberships.some(({ listId }) => listId === membership.listId);
  const memberships = known
    ? contact.memberships.map((other) => (other.listId === membership.listId ? membership : other))
    : [...contact.memberships, membership];
  return { ...contact, memberships };
}

/** Confirms a membership; undefined if no confirmation with this token is pending. */
export function confirm(contact: Contact, token: string, now: number): Contact | undefined {
  const membership = contact.memberships.find((candidate) => candidate.confirmation === token);
  const status = membership && nextMembershipStatus(membership.status, "confirm");
  if (membership === undefined || status === undefined) return undefined;
  return withMembership(contact, { ...membership, status, subscribedAt: now, confirmation: null });
}
