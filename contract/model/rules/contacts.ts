import { lifecycles } from "../../../generated/lifecycles.ts";
import {
  type Allowed,
  asSet,
  type Comparison,
  type Effect,
  equals,
  type Ids,
  isError,
  notFound,
  oneOf,
  provenIf,
  success,
  within,
} from "../judge.ts";
import { type Contact, contactOf, entriesIn, type Given, type Json, withContact } from "../state.ts";
import { entriesOf, isOfOther, rejectionsOfFields } from "./lists.ts";

export function upsertContact(given: Given): Allowed[] {
  const { state, account, body } = given;
  const list = Number(body.list_id);
  const lists = entriesOf(given, "lists");
  const isUnknown = Number.isInteger(list) && !lists.has(list);
  const unknown = { ...notFound("CONT-7", isOfOther(given, list)), fields: [["list_id"]] };
  const rejections = [...rejectionsOfFields(given), ...(isUnknown ? [unknown] : [])];
  if (rejections.some(({ ids }) => ids.length > 0)) return rejections;
  const email = String(body.email).toLowerCase();
  const unseen: Contact = { account, email, memberships: new Map(), hasLeft: false };
  const contact = contactOf(state, account, email) ?? unseen;
  const { memberships, hasLeft } = contact;
  const known = memberships.get(list);
  const isPending = lists.get(list)?.double_opt_in === true;
  const idsOfNew = hasLeft
    ? ["MEMB-17", "UNSUB-10"]
    : ["CONT-1", "CONT-4", isPending ? "MEMB-11" : "MEMB-13"];
  const hasEnded = known?.some(({ status }) => status === "unsubscribed") ? ["UNSUB-10"] : [];
  const ids = known ? ["CONT-2", known.some(isFinal) ? "MEMB-17" : "MEMB-16", ...hasEnded] : idsOfNew;
  const possible = known ? known.flatMap((one) => updated(one, body)) : added(given, contact, isPending);
  // Details may belong to the contact or to the membership: the next lookup tells.
  const others = new Map(memberships);
  for (const [id, [own = {}, shared = own]] of memberships)
    others.set(id, [own, { ...shared, ...detailsAfter(shared, body) }]);
  const effect: Effect = (json) => ({
    state: withContact(state, { ...contact, memberships: others.set(list, [json]) }),
    findings: [
      equals(["CONT-3"], "list_id", json.list_id, list),
      ...membershipFindings(given, ids, json, possible),
    ],
  });
  // After unsubscribing from everything, the response to adding to a further list is unspecified.
  return [success(ids, effect, known ? 200 : hasLeft ? "2XX" : 201), ...rejections];
}

export function getContact(given: Given): Allowed[] {
  const { account, path, state } = given;
  const contact = contactOf(state, account, path.email);
  if (contact === undefined) return ofConfiguration(given);
  // What changed since rests on the last request that could change a contact.
  const reasons = state.last.account === account ? state.last.ids : ["AUTH-2"];
  return [success(["CONT-23"], shows(given, contact, reasons))];
}

/** A contact that no request of the sequence was about: one of the configuration, or one that the account has never seen. */
function ofConfiguration({ state, account, path, fixtures: { contacts = {} } }: Given): Allowed[] {
  const [fixture, one] = Object.entries(contacts).find(([, { email }]) => email === path.email) ?? [];
  const isOfOther = state.contacts.some(({ email }) => email === path.email);
  if (one === undefined || account !== (fixture === "noNewsletter" ? fixture : "full"))
    return [notFound("CONT-26", isOfOther)];
  const found = success(["CONT-23"], (record) => {
    const memberships = membershipsIn(record);
    // An earlier check may have unsubscribed it, also from everything.
    const hasLeft =
      record.marketing_blocked === true &&
      [...memberships.values()].every(([membership]) => membership?.status === "unsubscribed");
    const status = memberships.get(one.list)?.[0]?.status;
    const isState = oneOf(["MEMB-3", "MEMB-18"], "status", status, [fixture, "unsubscribed"]);
    return {
      state: withContact(state, { account, email: one.email, memberships, hasLeft }),
      findings: [provenIf(fixture === "cleaned" && status === fixture, isState, ["MEMB-18"])],
    };
  });
  return [found];
}

export function unsubscribeContact(given: Given): Allowed[] {
  const { state, account, path, body } = given;
  const list = body.list_id as number | undefined;
  const unknown = notFound("UNSUB-12", isOfOther(given, list));
  if (list !== undefined && !entriesOf(given, "lists").has(list)) return [unknown];
  const contact = contactOf(state, account, path.email);
  if (contact === undefined) return ofConfiguration(given).filter(isError);
  const leaving = [...contact.memberships].filter(([id]) => list === undefined || id === list);
  const changed = leaving.map(([id, all]) => [id, all.flatMap((one) => ended(given, one))] as const);
  const memberships = new Map([...contact.memberships, ...changed]);
  const after = { ...contact, memberships, hasLeft: contact.hasLeft || list === undefined };
  const ofOthers = leaving.length < contact.memberships.size ? ["UNSUB-5"] : [];
  const ids = list === undefined ? ["UNSUB-1", "UNSUB-9"] : ["UNSUB-4", ...ofOthers, "UNSUB-9"];
  const left = success(ids, shows(given, after, ids, list));
  // The response for a list of the account that the contact is not on is unspecified.
  return list === undefined || memberships.has(list) ? [left] : [unknown, left];
}

const membershipsIn = ({ lists }: Json): Map<number, readonly Json[]> =>
  new Map(entriesIn(lists).map((one) => [Number(one.list_id), [one]]));

/** Compares a contact record with what is known of the contact, for these reasons: those of a request about a list. */
const shows =
  (given: Given, contact: Contact, reasons: Ids, changed = given.state.last.list): Effect =>
  (record) => {
    const { email, lists, marketing_blocked: isBlocked } = record;
    const { memberships, hasLeft } = contact;
    const ids = ["CONT-25", ...reasons];
    const found = entriesIn(lists);
    const isKnown = hasLeft || found.some(({ status }) => status === "subscribed");
    // In traffic without the unsubscribe, nothing but this record says that the contact has left.
    const isShown = given.observed === undefined || reasons.some((id) => id.startsWith("UNSUB-"));
    const idsOfBlocked = ["CONT-24", ...(hasLeft && isShown ? ["UNSUB-2"] : []), ...ids];
    return {
      state: withContact(given.state, { ...contact, memberships: membershipsIn(record) }),
      findings: [
        equals(["CONT-23", "MEMB-2", ...ids], "email", email, contact.email),
        equals(["MEMB-1", ...ids], "the number of lists", found.length, memberships.size),
        ...[...memberships].flatMap(([list, possible]) => {
          const membership = found.find((one) => one.list_id === list) ?? {};
          const isOther = changed !== undefined && list !== changed;
          const own = ids.filter((id) => id !== (isOther ? "UNSUB-4" : "UNSUB-5"));
          return membershipFindings(given, own, membership, possible);
        }),
        ...(isKnown ? [equals(idsOfBlocked, "marketing_blocked", isBlocked, hasLeft)] : []),
      ],
    };
  };

/** The requirements of the properties of a membership, except the custom fields. */
const properties = {
  list_id: ["MEMB-1"],
  email: ["MEMB-2"],
  status: ["MEMB-3"],
  first_name: ["MEMB-5"],
  last_name: ["MEMB-6"],
  tags: ["MEMB-8", "CONT-16"],
  subscribed_at: ["MEMB-9"],
  unsubscribed_at: ["MEMB-10"],
};

/** The requirements on requests that are about the status of a membership and its times, not about its other properties. */
const idsOfStatus = ["CONT-4", "MEMB-11", "MEMB-13", "MEMB-15", "MEMB-17", "UNSUB-1", "UNSUB-4", "UNSUB-10"];
/** Those that can be the reason of a wrong time. */
const idsOfTimes = [
  ...["AUTH-2", "CONT-2", "CONT-4", "MEMB-11", "MEMB-13", "MEMB-15", "MEMB-16"],
  ...["UNSUB-1", "UNSUB-4", "UNSUB-5"],
];

const isReason = (id: string, name: string): boolean =>
  name.endsWith("ed_at") ? idsOfTimes.includes(id) : name === "status" || !idsOfStatus.includes(id);

/** Compares a membership with the ways it may be, in the properties that they have; `ids` are the requirements that this rests on. */
function membershipFindings(given: Given, ids: Ids, found: Json, possible: readonly Json[]): Comparison[] {
  const compare = (own: string[], name: string, valueIn: (one: Json) => unknown): Comparison => {
    const reasons = ids.filter((id) => isReason(id, name));
    const finding = oneOf([...own, ...reasons], name, valueIn(found), possible.map(valueIn));
    // Only an update can add tags to others, or remove them.
    return provenIf(ids.includes("CONT-2"), finding, ["CONT-16"]);
  };
  const customFields = entriesOf(given, "fields");
  // Whether a number comes back as a number or as text is unspecified, and so is what a field without a value shows.
  const shown = (one: Json, key: string): string | null => {
    const value = valueIn(one, key) ?? null;
    return value === null || value === customFields.get(key)?.fallback ? null : String(value);
  };
  // A response may have null in its place, which its schema check reports.
  const valueIn = ({ fields }: Json, key: string): unknown => (fields as Json | null | undefined)?.[key];
  const keys = possible.flatMap(({ fields }) =>
    fields ? Object.keys({ ...fields, ...(found.fields as Json) }) : [],
  );
  return [
    ...Object.entries(properties)
      .filter(([name]) => possible.some((one) => name in one))
      .map(([name, own]) => compare(own, name, (one) => asSet(one[name]))),
    ...[...new Set(keys)].map((key) => {
      const isCleared = possible.some((one) => shown(one, key) === null);
      const ofDate = customFields.get(key)?.type === "date" ? ["LIST-9"] : [];
      const own = ["MEMB-7", ...(isCleared ? ["CONT-13"] : ["LIST-6", ...ofDate])];
      const text = compare(own, `fields.${key}`, (one) => shown(one, key));
      // A failure shows the values as they are.
      const finding = text.failure ? compare(own, `fields.${key}`, (one) => valueIn(one, key)) : text;
      return provenIf((given.body.fields as Json | undefined)?.[key] === null, finding, ["CONT-13"]);
    }),
  ];
}

/** The statuses that no request but an unsubscribe changes, and whose details an update may leave as they were. */
export const isFinal = ({ status }: Json): boolean => status === "unsubscribed" || status === "complained";

/** The names, custom fields and tags of a membership after a request: as sent, else as before. */
const detailsAfter = (before: Json, body: Json): Json => ({
  first_name: body.first_name ?? before.first_name ?? null,
  last_name: body.last_name ?? before.last_name ?? null,
  fields: { ...(before.fields as Json), ...(body.fields as Json) },
  tags: [...entriesIn(before.tags), ...entriesIn(body.tags)],
});

/** A membership after a request that adds it. */
function added({ body, sentAt, now }: Given, contact: Contact, isPending: boolean): Json[] {
  const joined = isPending
    ? { status: "pending", subscribed_at: null, unsubscribed_at: null }
    : { status: "subscribed", subscribed_at: within(sentAt, now), unsubscribed_at: null };
  // After unsubscribing from everything, the status is unspecified, but the contact is not put back.
  const statuses = lifecycles.membership.states.filter((one) => one !== "pending" && one !== "subscribed");
  const states: Json[] = contact.hasLeft ? statuses.map((status) => ({ status })) : [joined];
  // Whether a contact has the same details on all lists is unspecified.
  const details = [{}, ...[...contact.memberships.values()].flat()].map((one) => detailsAfter(one, body));
  const own = { list_id: body.list_id, email: contact.email };
  return states.flatMap((state) => details.map((one) => ({ ...own, ...state, ...one })));
}

const updated = (before: Json, body: Json): Json[] => [
  { ...before, ...detailsAfter(before, body) },
  ...(isFinal(before) ? [before] : []),
];

function ended({ sentAt, now }: Given, { list_id, status, subscribed_at, unsubscribed_at }: Json): Json[] {
  // Whether a contact that complained has it is unspecified.
  const joined = status === "complained" ? {} : { subscribed_at };
  const times = [within(sentAt, now), ...(status === "unsubscribed" ? [unsubscribed_at] : [])];
  return times.map((at) => ({ list_id, status: "unsubscribed", ...joined, unsubscribed_at: at }));
}
