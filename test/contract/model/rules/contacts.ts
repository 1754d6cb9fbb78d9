import { accountOf } from "../../engine/settings.ts";
import { type Allowed, equals, type Finding, isError, oneOf, rejected } from "../allowed.ts";
import {
  type Contact,
  type Context,
  configuredContact,
  contactOf,
  entriesIn,
  idsOfLast,
  type Json,
  lowerCase,
  type ModelRequest,
  type World,
  withContact,
} from "../world.ts";
import { openRejections, rejectionsOfFields } from "./contact-fields.ts";
import { entriesOf } from "./lists.ts";
import {
  addedFindings,
  detailsAfter,
  isFinal,
  leftFindings,
  type Subject,
  sameFindings,
  updatedFindings,
} from "./membership.ts";

/** A contact that the model has not seen yet: the sequence chose its email address, or the configuration names it. */
const newContact = (request: ModelRequest): Contact => ({
  account: accountOf(request.key),
  email: lowerCase(request.body?.email ?? request.path?.email),
  memberships: new Map(),
  open: new Map(),
  hasLeft: false,
});

const neverSeen = rejected(["CONT-26", "AUTH-2"], "404.not_found");

/** Adding or updating a contact. */
export function upsertContact(world: World, request: ModelRequest, context: Context): Allowed[] {
  const { body = {}, key } = request;
  const list = Number(body.list_id);
  const lists = entriesOf(world, "lists", accountOf(key), context);
  const unknown = { ...rejected(["CONT-7", "AUTH-2"], "404.not_found"), fields: ["list_id"] };
  const rejections = [
    ...rejectionsOfFields(world, request, context),
    ...(lists.has(list) || !Number.isInteger(list) ? [] : [unknown]),
  ];
  const possible = openRejections(world, request, context);
  if (rejections.length > 0) return [...rejections, ...possible];
  const contact = contactOf(world, accountOf(key), body.email) ?? newContact(request);
  const known = contact.memberships.get(list);
  const isPending = lists.get(list)?.double_opt_in === true;
  const added = contact.hasLeft ? ["MEMB-17"] : ["CONT-1", isPending ? "MEMB-11" : "MEMB-13"];
  const ids = known === undefined ? added : ["CONT-2", isFinal(known) ? "MEMB-17" : "MEMB-16", "UNSUB-10"];
  const effect: Allowed["effect"] = (json) => {
    const subject = subjectOf(world, contact, json, ids);
    const memberships = new Map(contact.memberships).set(list, json);
    // Details may belong to the contact or to the membership: the next lookup tells.
    const open = new Map([...contact.memberships].map(([id, before]) => [id, detailsAfter(before, body)]));
    open.delete(list);
    const isOf = equals(["MEMB-1", "CONT-3"], "list_id", json.list_id, list);
    const others =
      known === undefined
        ? addedFindings(subject, body, contact, isPending, context)
        : updatedFindings(subject, known, body);
    const findings = [isOf, equals(["MEMB-2"], "email", json.email, contact.email), ...others];
    return { world: withContact(world, { ...contact, memberships, open }), findings };
  };
  // After unsubscribing from everything, the response to adding to a further list is unspecified.
  const status = known !== undefined ? 200 : contact.hasLeft ? "2XX" : 201;
  return [{ ids, status, effect }, ...possible];
}

/** A lookup of a contact. */
export function getContact(world: World, request: ModelRequest, { fixtures }: Context): Allowed[] {
  const account = accountOf(request.key);
  const contact = contactOf(world, account, request.path?.email);
  const configured = configuredContact(account, request.path?.email, fixtures);
  if (contact === undefined && configured === undefined) return [neverSeen];
  const effect: Allowed["effect"] = (record) => {
    const { state, list } = configured ?? {};
    const status = membershipsIn(record).get(Number(list))?.status;
    const known = contact ?? { ...newContact(request), hasLeft: hasLeft(record) };
    // An earlier check may have unsubscribed it.
    const first = oneOf(["MEMB-3", "MEMB-18"], "status", status, [state, "unsubscribed"]);
    const findings = contact === undefined ? [first] : recordFindings(world, contact, record);
    return { world: learn(world, known, record), findings };
  };
  return [{ ids: ["CONT-23"], status: "2XX", effect }];
}

/** Whether a contact of the configuration seems to have unsubscribed from everything before the sequence. */
const hasLeft = (record: Json): boolean =>
  record.marketing_blocked === true &&
  [...membershipsIn(record).values()].every(({ status }) => status === "unsubscribed");

/** Unsubscribing from one list or from everything. */
export function unsubscribeContact(world: World, request: ModelRequest, context: Context): Allowed[] {
  const { key } = request;
  const list = request.body?.list_id as number | undefined;
  const unknown = rejected(["UNSUB-12", "AUTH-2"], "404.not_found");
  if (list !== undefined && !entriesOf(world, "lists", accountOf(key), context).has(list)) return [unknown];
  const contact = contactOf(world, accountOf(key), request.path?.email);
  if (contact === undefined)
    return getContact(world, { ...request, operation: "getContact" }, context).filter(isError);
  const isLeft = (id: number): boolean => list === undefined || id === list;
  const ids = list === undefined ? ["UNSUB-1", "UNSUB-9"] : ["UNSUB-4", "UNSUB-5", "UNSUB-9"];
  const now: World = { ...world, last: { account: contact.account, ids } };
  const after: Contact = { ...contact, hasLeft: contact.hasLeft || list === undefined };
  const effect: Allowed["effect"] = (record) => ({
    world: learn(world, after, record),
    findings: recordFindings(now, after, record, (subject, before, id) =>
      isLeft(id)
        ? leftFindings(subject, before, context)
        : sameFindings(subject, before, contact.open.get(id)),
    ),
  });
  const left: Allowed = { ids, status: "2XX", effect };
  // The response for a list of the account that the contact is not on is unspecified.
  return list === undefined || contact.memberships.has(list) ? [left] : [unknown, left];
}

const membershipsIn = ({ lists }: Json): Map<number, Json> =>
  new Map(entriesIn(lists).map((one) => [Number(one.list_id), one]));

/** The world with a contact as its record shows it. */
const learn = (world: World, contact: Contact, record: Json): World =>
  withContact(world, { ...contact, memberships: membershipsIn(record), open: new Map() });

function subjectOf(world: World, { account }: Contact, membership: Json, ids: readonly string[]): Subject {
  return { membership, ids, customFields: entriesOf(world, "fields", account, { fixtures: {} }) };
}

/** Compares a contact record with what is known of the contact. */
function recordFindings(
  world: World,
  contact: Contact,
  record: Json,
  compare = (subject: Subject, before: Json, list: number) =>
    sameFindings(subject, before, contact.open.get(list)),
): Finding[] {
  const ids = ["CONT-25", ...idsOfLast(world, contact.account)];
  const { email, lists, marketing_blocked } = record;
  const found = membershipsIn(record);
  const shown = entriesIn(lists).map(({ list_id }) => list_id);
  const expected = inOrder(contact.memberships.keys());
  const isSubscribed = [...found.values()].some(({ status }) => status === "subscribed");
  const blockedIds = ["CONT-24", "UNSUB-2", ...ids];
  const blocked = equals(blockedIds, "marketing_blocked", marketing_blocked, contact.hasLeft);
  return [
    equals(["CONT-23", "MEMB-2", ...ids], "email", email, contact.email),
    equals(["MEMB-1", ...ids], "the lists of the contact", inOrder(shown), expected),
    ...[...contact.memberships].flatMap(([list, before]) =>
      compare(subjectOf(world, contact, found.get(list) ?? {}, ids), before, list),
    ),
    ...(contact.hasLeft || isSubscribed ? [blocked] : []),
  ];
}

const inOrder = (lists: Iterable<unknown>): string[] => [...lists].map(String).sort();
