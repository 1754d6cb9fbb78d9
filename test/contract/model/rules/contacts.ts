import { accountOf } from "../../engine/settings.ts";
import type { ResponseFinding } from "../../response-checks/finding.ts";
import { type Allowed, equals, isError, oneOf, rejected } from "../allowed.ts";
import {
  type Contact,
  type Context,
  configuredContact,
  contactOf,
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
  const open = openRejections(world, request, context);
  if (rejections.length > 0) return [...rejections, ...open];
  const contact = contactOf(world, accountOf(key), body.email) ?? newContact(request);
  const known = contact.memberships.get(list);
  const isPending = lists.get(list)?.double_opt_in === true;
  const added = contact.hasLeft ? ["MEMB-17"] : ["CONT-1", isPending ? "MEMB-11" : "MEMB-13"];
  const updated = (before: Json): string[] => ["CONT-2", isFinal(before) ? "MEMB-17" : "MEMB-16", "UNSUB-10"];
  const ids = known === undefined ? added : updated(known);
  const effect: Allowed["effect"] = ({ json }) => {
    const subject = subjectOf(world, contact, json as Json, ids);
    const memberships = new Map(contact.memberships).set(list, subject.membership);
    // Details may belong to the contact or to the membership: the next lookup tells.
    const others = new Map([...contact.memberships].map(([id, before]) => [id, detailsAfter(before, body)]));
    others.delete(list);
    return {
      world: withContact(world, { ...contact, memberships, open: others }),
      findings: [
        equals(["MEMB-1", "CONT-3"], "list_id", subject.membership.list_id, list),
        equals(["MEMB-2"], "email", subject.membership.email, contact.email),
        ...(known === undefined
          ? addedFindings(subject, body, contact, isPending, context)
          : updatedFindings(subject, known, body)),
      ],
    };
  };
  // After unsubscribing from everything, the response to adding to a further list is unspecified.
  const status = known !== undefined ? 200 : contact.hasLeft ? "2XX" : 201;
  return [{ ids, status, effect }, ...open];
}

/** A lookup of a contact. */
export function getContact(world: World, request: ModelRequest, { fixtures }: Context): Allowed[] {
  const account = accountOf(request.key);
  const contact = contactOf(world, account, request.path?.email);
  const configured = configuredContact(account, request.path?.email, fixtures);
  if (contact === undefined && configured === undefined) return [neverSeen];
  const effect: Allowed["effect"] = ({ json }) => {
    const record = json as Json;
    const { state, list } = configured ?? {};
    const status = membershipsIn(record).get(Number(list))?.status;
    return {
      world: learn(world, contact ?? { ...newContact(request), hasLeft: hasLeft(record) }, record),
      findings:
        contact === undefined
          ? // An earlier check may have unsubscribed it.
            [oneOf(["MEMB-3", "MEMB-18"], "status", status, [state, "unsubscribed"])]
          : recordFindings(world, contact, record),
    };
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
  const left: Allowed = {
    ids,
    status: "2XX",
    effect: ({ json }) => ({
      world: learn(world, after, json as Json),
      findings: recordFindings(now, after, json as Json, (subject, before, id) =>
        isLeft(id)
          ? leftFindings(subject, before, context)
          : sameFindings(subject, before, contact.open.get(id)),
      ),
    }),
  };
  // The response for a list of the account that the contact is not on is unspecified.
  return list === undefined || contact.memberships.has(list) ? [left] : [unknown, left];
}

const membershipsIn = ({ lists }: Json): Map<number, Json> =>
  new Map((Array.isArray(lists) ? (lists as Json[]) : []).map((one) => [Number(one.list_id), one]));

/** The world with a contact as its record shows it. */
const learn = (world: World, contact: Contact, record: Json): World =>
  withContact(world, { ...contact, memberships: membershipsIn(record), open: new Map() });

const subjectOf = (
  world: World,
  { account }: Contact,
  membership: Json,
  ids: readonly string[],
): Subject => ({
  membership,
  ids,
  customFields: entriesOf(world, "fields", account, { fixtures: {} }),
});

/** Compares a contact record with what is known of the contact. */
function recordFindings(
  world: World,
  contact: Contact,
  record: Json,
  compare = (subject: Subject, before: Json, list: number) =>
    sameFindings(subject, before, contact.open.get(list)),
): ResponseFinding[] {
  const ids = ["CONT-25", ...idsOfLast(world, contact.account)];
  const found = membershipsIn(record);
  const shown = Array.isArray(record.lists) ? (record.lists as Json[]).map(({ list_id }) => list_id) : [];
  const isSubscribed = [...found.values()].some(({ status }) => status === "subscribed");
  const blocked = equals(
    ["CONT-24", "UNSUB-2", ...ids],
    "marketing_blocked",
    record.marketing_blocked,
    contact.hasLeft,
  );
  return [
    equals(["CONT-23", "MEMB-2", ...ids], "email", record.email, contact.email),
    equals(
      ["MEMB-1", ...ids],
      "the lists of the contact",
      inOrder(shown),
      inOrder(contact.memberships.keys()),
    ),
    ...[...contact.memberships].flatMap(([list, before]) =>
      compare(subjectOf(world, contact, found.get(list) ?? {}, ids), before, list),
    ),
    ...(contact.hasLeft || isSubscribed ? [blocked] : []),
  ];
}

const inOrder = (lists: Iterable<unknown>): string[] => [...lists].map(String).sort();
