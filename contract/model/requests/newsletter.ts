import { limits } from "../../../generated/limits.ts";
import { accountOf, type Role } from "../../engine/settings.ts";
import {
  contactOf,
  type Json,
  type ModelRequest,
  type Place,
  pick,
  type RequestsOf,
  type Sequence,
  withKey,
} from "../state.ts";
import type { ContactDetails, NewsletterStep } from "../steps/newsletter.ts";

type Step<Kind> = Extract<NewsletterStep, { do: Kind }>;
type ContactName = Step<"add">["contact"];
type ListName = Step<"add">["list"];

/** The requests of steps, or a lookup of what one needs to know first. */
export const newsletterRequests: RequestsOf<NewsletterStep> = {
  mail,
  again,
  read: ({ contact, what }, { key, sequence }) => {
    if (what === "contact")
      return { operation: "getContact", key, path: { email: contactEmail(contact, key, sequence) } };
    return { operation: what === "lists" ? "listNewsletterLists" : "listCustomFields", key };
  },
  add: (step, place) => {
    const unknown = lookupFirst(step, place, step.edge !== null);
    if (unknown !== undefined) return unknown;
    const request = withKey(addition(step, place), step.keyed !== "no", place.sequence);
    return step.keyed === "longest" ? withKeyOf(limits.idempotencyKeyLength, request) : request;
  },
  unsubscribe: (step, place) => lookupFirst(step, place, false) ?? unsubscription(step, place),
};

/** A lookup of the lists, the fields or the contact that a request needs to know. */
function lookupFirst(
  { contact }: Step<"add" | "unsubscribe">,
  { key, sequence, state }: Place,
  needsFields: boolean,
): ModelRequest | undefined {
  const account = accountOf(key);
  const { lists, fields } = state.listings.get(account) ?? {};
  if (account !== "full" && account !== "noNewsletter" && lists === undefined)
    return { operation: "listNewsletterLists", key };
  if (needsFields && fields === undefined) return { operation: "listCustomFields", key };
  const email = contactEmail(contact, key, sequence);
  const isConfigured = typeof contact !== "number" && account === "full";
  if (!isConfigured || contactOf(state, account, email) !== undefined) return undefined;
  return { operation: "getContact", key: "full", path: { email } };
}

const withKeyOf = (length: number, request: ModelRequest): ModelRequest => ({
  ...request,
  ...(request.idempotencyKey && { idempotencyKey: request.idempotencyKey.padStart(length, "k") }),
});

function again({ request, isTooLong }: Step<"again">, { key, state: { keyed } }: Place) {
  const additions = keyed.filter((one) => one.request.operation === "upsertContact");
  const earlier = pick(additions, request);
  if (earlier === undefined) return undefined;
  const same: ModelRequest = { ...earlier.request, key };
  return isTooLong ? withKeyOf(limits.idempotencyKeyLength + 1, same) : same;
}

/** A message to a contact, which its unsubscribes do not stop. */
function mail({ contact, field, kind }: Step<"mail">, { sequence, now }: Place): ModelRequest | undefined {
  const { domains, recipientDomain, contactDomain, simulatorDomain } = sequence.fixtures;
  if (domains?.verified === undefined || recipientDomain === undefined || recipientDomain !== contactDomain)
    return;
  const body = {
    from: `contract@${domains.verified}`,
    to: [`success@${simulatorDomain}`],
    [field]: [contactEmail(contact, "full", sequence)],
    subject: `Contract sequence ${sequence.name}`,
    text: "Sent by a sequence of the contract.",
  };
  const later = { scheduled_at: new Date(now + 3_600_000).toISOString().replace(/\.\d+/, "") };
  if (kind === "batch") return { operation: "sendBatch", key: "full", body: { emails: [body] } };
  return { operation: "sendEmail", key: "full", body: { ...body, ...(kind === "scheduled" ? later : {}) } };
}

/** Characters of email addresses that must be encoded in a path, or need not. */
const separators = ["-", "+", "&"];

/** The email address of a contact. Accounts have different contacts with the same address. */
function contactEmail(contact: ContactName, key: Role, { name, fixtures }: Sequence): string {
  const { contacts = {}, contactDomain = "example.com" } = fixtures;
  const own = accountOf(key) === "full" ? contacts[contact as "cleaned"] : undefined;
  const configured = key === "noNewsletter" ? contacts.noNewsletter : own;
  const number = Number.isInteger(contact) ? Number(contact) : 0;
  return configured?.email ?? `contract-${name}${separators[number]}c${number}@${contactDomain}`;
}

/** The id of a list; for a contact of the configuration, that of its own. */
function listOf(list: ListName, contact: ContactName, { key, sequence: { fixtures }, state }: Place) {
  const { lists = {}, contacts = {} } = fixtures;
  const account = accountOf(key);
  const own = state.listings.get(account)?.lists?.map(({ id }) => Number(id)) ?? [];
  // Far above the others.
  if (list === "unknown") return Math.max(...Object.values(lists), ...own) + 987_654;
  if (list === "otherAccount") return account === "full" ? (lists.otherAccount ?? lists.plain) : lists.plain;
  if (key === "noNewsletter") return contacts.noNewsletter?.list;
  if (account !== "full") return own[0];
  return contacts[contact as "cleaned"]?.list ?? lists[list] ?? lists.plain;
}

function addition(step: Step<"add">, place: Place): ModelRequest {
  const { list, details, edge } = step;
  const { key, sequence, state } = place;
  const email = contactEmail(step.contact, key, sequence);
  const { fields: ofMain = {} } = sequence.fixtures;
  const ofType = accountOf(key) === "full" ? ofMain : {};
  const body = {
    email: step.upper ? email.toUpperCase() : email,
    list_id: listOf(list, step.contact, place),
    ...details,
    ...fieldsOf(details, ofType),
  };
  const listed = (state.listings.get(accountOf(key))?.fields ?? []).flatMap(({ key: one, type }) => {
    const value = values[String(type)];
    return value === undefined ? [] : [[String(one), value] as const];
  });
  // Just within, or just beyond, one constraint.
  const edges = [...namesAndTags, ...ofFields({ ofType, ofMain: ofMain.text, listed })];
  const change = edge === null ? {} : pick(edges, edge);
  return { operation: "upsertContact", key, body: { ...body, ...change } };
}

/** A value of each type that has only one form. */
const values: Record<string, string> = { text: "Leeds", date: "1985-04-30", url: "https://example.com/" };

function fieldsOf({ fields }: ContactDetails, keys: Readonly<Record<string, string>>): Json {
  if (fields === undefined) return {};
  const pairs = Object.entries(fields).filter(([type]) => keys[type] !== undefined);
  return { fields: Object.fromEntries(pairs.map(([type, value]) => [keys[type], value])) };
}

function unsubscription({ contact, list, reason, edge }: Step<"unsubscribe">, place: Place): ModelRequest {
  const { key, sequence, state } = place;
  const email = contactEmail(contact, key, sequence);
  const memberships = contactOf(state, accountOf(key), email)?.memberships ?? new Map<number, Json>();
  const left =
    list === null
      ? undefined
      : typeof list === "number"
        ? (pick([...memberships.keys()], list) ?? listOf("plain", contact, place))
        : listOf(list, contact, place);
  return {
    operation: "unsubscribeContact",
    key,
    path: { email },
    body: {
      ...(left === undefined ? {} : { list_id: left }),
      ...(reason ? { reason: "Too many letters" } : {}),
      ...(edge === null ? {} : pick(unsubscribeEdges, edge)),
    },
  };
}

/** Another body for the same idempotency key. */
export function changedContact(body: Json, change: number, { fixtures: { lists = {} } }: Sequence): Json {
  const { plain, second, doubleOptIn } = lists;
  const { list_id, fields = {} } = body;
  const other = [plain, second, doubleOptIn].find((id) => id !== undefined && id !== list_id);
  const isOwn = [plain, second, doubleOptIn].includes(list_id as number);
  const cleared = Object.fromEntries(Object.keys(fields as Json).map((key) => [key, null]));
  const changes: Json[] = [
    { tags: ["changed"] },
    { first_name: "Changed" },
    { last_name: "Changed" },
    ...(Object.keys(cleared).length > 0 ? [{ fields: cleared }] : []),
    ...(isOwn && other !== undefined ? [{ list_id: other }] : []),
  ];
  return { ...body, ...pick(changes, change) };
}

interface FieldKeys {
  /** By type, if the configuration names one. */
  ofType: { text?: string; number?: string; date?: string; url?: string };
  /** One of the main account, which others need not have. */
  ofMain: string | undefined;
  /** All of the types text, date and url, with a valid value. */
  listed: readonly (readonly [key: string, value: string])[];
}

const { contactNameLength, contactTagLength, contactTags, contactFields } = limits;

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index + 1}`);

/** The longest texts, one that is too long, and no text. */
const textsAround = (most: number) => ["a".repeat(most), "é".repeat(most), "a".repeat(most + 1), 1];

const namesAndTags: Json[] = [
  ...[undefined, "contract", "@example.com", "contract@"].map((email) => ({ email })),
  ...[undefined, 1.5, "1"].map((list_id) => ({ list_id })),
  ...["first_name", "last_name"].flatMap((name) =>
    textsAround(contactNameLength).map((text) => ({ [name]: text })),
  ),
  ...[many(contactTags), many(contactTags + 1), "bread"].map((tags) => ({ tags })),
  ...textsAround(contactTagLength).map((tag) => ({ tags: ["bread", tag] })),
  ...["detail", "ip", "user_agent"].map((name) => ({ consent: { [name]: 1 } })),
];

const wrongValues = [
  ["number", "12abc"],
  ["date", "2026-12-24 at noon"],
  ["date", "31/12/1984"],
  ["date", 20261224],
  ["url", "no web address"],
] as const;

function ofFields({ ofType, ofMain = "contract_other", listed }: FieldKeys): Json[] {
  const first = ofType.text === undefined ? {} : { [ofType.text]: "Leeds" };
  return [
    ...wrongValues.flatMap(([type, value]) =>
      ofType[type] === undefined ? [] : [{ ...first, [ofType[type]]: value }],
    ),
    { ...first, contract_undefined: "Leeds" },
    { [ofMain]: "Leeds" },
    ...[contactFields, contactFields + 1]
      .filter((count) => count <= listed.length)
      .map((count) => Object.fromEntries(listed.slice(0, count))),
  ].map((fields) => ({ fields }));
}

/** Changes of an unsubscribe request to just beyond one constraint. */
const unsubscribeEdges: readonly Json[] = [{ list_id: 1.5 }, { list_id: "1" }, { reason: 1 }];
