import type { components } from "../../generated/types.ts";
import type {
  Consent,
  Contact,
  CustomField,
  Membership,
  MembershipStatus,
  NewsletterList,
} from "./records.ts";

export type ContactRequest = components["schemas"]["ContactRequest"];

/** What a request says about a contact. */
type ContactInput = Omit<ContactRequest, "email" | "list_id">;

const newContact = (address: Pick<Contact, "accountId" | "email">): Contact => ({
  ...address,
  firstName: null,
  lastName: null,
  fields: {},
  tags: [],
  marketingBlocked: false,
  memberships: [],
});

/**
 * Adds a contact to a list, or updates it there. A contact who left is never put back, and one who left everything gets no email of
 * another list either.
 * @param token creates the token of a confirmation
 * @returns also whether the contact was not on the list before
 */
export function addContact(
  known: Contact | undefined,
  address: { accountId: string; email: string },
  list: NewsletterList,
  input: ContactInput,
  now: number,
  token: () => string,
) {
  const contact = updateDetails(known ?? newContact(address), input);
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
  const status = nextStatus("none", on) ?? "unsubscribed";
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
  const fields = Object.entries({ ...contact.fields, ...input.fields });
  return {
    ...contact,
    firstName: input.first_name ?? contact.firstName,
    lastName: input.last_name ?? contact.lastName,
    // Null removes a field.
    fields: Object.fromEntries(fields.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
    // Tags are added, never removed.
    tags: [...new Set([...contact.tags, ...(input.tags ?? [])])],
  };
}

/** The contact with a membership added, or replaced on its list. */
function withMembership(contact: Contact, membership: Membership): Contact {
  const at = contact.memberships.findIndex(({ listId }) => listId === membership.listId);
  const { memberships: all } = contact;
  return { ...contact, memberships: at < 0 ? [...all, membership] : all.with(at, membership) };
}

/** Confirms a membership; undefined if no confirmation with this token is pending. */
export function confirm(contact: Contact, token: string, now: number): Contact | undefined {
  const membership = contact.memberships.find((candidate) => candidate.confirmation === token);
  const status = membership && nextStatus(membership.status, "confirm");
  if (membership === undefined || status === undefined) return undefined;
  return withMembership(contact, { ...membership, status, subscribedAt: now, confirmation: null });
}

/** Unsubscribes a contact from one list, or from everything, for good; undefined if it is not on the list. */
export function unsubscribe(
  contact: Contact,
  listId: number | undefined,
  reason: string | null,
  now: number,
): Contact | undefined {
  const leave = (membership: Membership): Membership => ({
    ...membership,
    status: nextStatus(membership.status, "unsubscribe") ?? membership.status,
    // An earlier unsubscribe keeps its time.
    unsubscribedAt: membership.status === "unsubscribed" ? membership.unsubscribedAt : now,
    reason: reason ?? membership.reason,
    // A later confirmation must not put the contact back.
    confirmation: null,
  });
  const { memberships } = contact;
  if (listId === undefined)
    return { ...contact, marketingBlocked: true, memberships: memberships.map(leave) };
  const membership = memberships.find((candidate) => candidate.listId === listId);
  return membership && withMembership(contact, leave(membership));
}

/**
 * The state transitions of a membership: from which status, none if the contact was not on the list, by what, and to which. All others leave
 * the status unchanged: adding a contact that is on the list changes its details only, and nothing leads out of `unsubscribed`.
 */
const transitions = [
  ["none", "add", "subscribed"],
  ["none", "add with confirmation", "pending"],
  ["none", "add after leaving everything", "unsubscribed"],
  ["pending", "confirm", "subscribed"],
  ["any", "unsubscribe", "unsubscribed"],
] as const satisfies readonly [MembershipStatus | "none" | "any", string, MembershipStatus][];

type MembershipTrigger = (typeof transitions)[number][1];

/** The next status; undefined if it does not change. */
const nextStatus = (from: MembershipStatus | "none", on: MembershipTrigger): MembershipStatus | undefined =>
  transitions.find((row) => row[1] === on && (row[0] === from || row[0] === "any"))?.[2];

const sentences: Record<CustomField["type"], string> = {
  text: "Must be text.",
  number: "Must be a number.",
  date: "Must be a date in the format YYYY-MM-DD.",
  url: "Must be a URL that starts with https:// or http://.",
};

/** What is wrong with the value of a custom field; undefined if it is valid. Null always is: it clears the field. */
export function valueError(field: CustomField | undefined, value: string | number | null) {
  if (field === undefined) return "This account has no custom field with this name.";
  return value === null || fits[field.type](value) ? undefined : sentences[field.type];
}

/** Whether a value is valid for a custom field of a type. */
export const fits: Record<CustomField["type"], (value: string | number) => boolean> = {
  text: (value) => typeof value === "string",
  // Whether numbers are sent as numbers or as text is unspecified.
  number: (value) => typeof value === "number" || (value.trim() !== "" && Number.isFinite(Number(value))),
  date: (value) => typeof value === "string" && isDate(value),
  url: (value) => typeof value === "string" && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value),
};

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Dates such as February 30 would roll over.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
