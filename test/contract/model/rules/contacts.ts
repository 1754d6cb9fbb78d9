import { accountOf } from "../../engine/settings.ts";
import type { ResponseFinding } from "../../response-checks/finding.ts";
import { type Allowed, equals, invalid, oneOf, rejected } from "../allowed.ts";
import {
  type Contact,
  type Context,
  contactOf,
  idsOfLast,
  type Json,
  lowerCase,
  type ModelRequest,
  type World,
  withContact,
} from "../world.ts";
import { hasNumber, rejectionsOfContact, rejectionsOfUnsubscribe } from "./contact-body.ts";
import { customFieldsOf, fallbacksOf, listsOf } from "./lists.ts";
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
  const account = accountOf(key);
  const list = Number(body.list_id);
  const lists = listsOf(world, account, context);
  const rejections = [
    ...rejectionsOfContact(body, customFieldsOf(world, account, context)),
    ...(lists.has(list) ? [] : [{ ...rejected(["CONT-7", "AUTH-2"], "404.not_found"), fields: ["list_id"] }]),
  ];
  if (rejections.length > 0) return rejections;
  const contact = contactOf(world, account, body.email) ?? newContact(request);
  const known = contact.memberships.get(list);
  const ids =
    known === undefined
      ? ["CONT-1", lists.get(list) ? "MEMB-11" : "MEMB-13"]
      : ["CONT-2", isFinal(known) ? "MEMB-17" : "MEMB-16", ...(contact.hasLeft ? ["UNSUB-10"] : [])];
  const effect: Allowed["effect"] = ({ json }) => {
    const membership = json as Json;
    const memberships = new Map(contact.memberships).set(list, membership);
    // Details may belong to the contact or to the membership: the next lookup tells.
    const open = new Map(
      [...contact.memberships].map(([id, before]) => [id, detailsAfter(before, body)] as const),
    );
    open.delete(list);
    const subject = { membership, ids, fallbacks: fallbacksOf(world, account) };
    return {
      world: withContact(world, { ...contact, memberships, open }),
      findings: [
        equals(["MEMB-1", "CONT-3"], "list_id", membership.list_id, list),
        equals(["MEMB-2"], "email", membership.email, contact.email),
        ...(known === undefined
          ? addedFindings(subject, body, contact, lists.get(list), context)
          : updatedFindings(subject, known, body)),
      ],
    };
  };
  // After unsubscribing from everything, the response to adding to a further list is unspecified.
  const status = known !== undefined ? 200 : contact.hasLeft ? "2XX" : 201;
  return [
    { ids: status === "2XX" ? ["MEMB-17"] : ids, status, effect },
    // Whether a number is sent as a number or as text is unspecified.
    ...(hasNumber(body) ? [invalid([], "fields")] : []),
  ];
}

/** A lookup of a contact. */
export function getContact(world: World, request: ModelRequest, { fixtures }: Context): Allowed[] {
  const account = accountOf(request.key);
  const contact = contactOf(world, account, request.path?.email);
  const { cleaned, complained } = fixtures.contacts ?? {};
  const configured = Object.entries({ cleaned, complained }).find(
    ([, one]) => one?.email === request.path?.email,
  );
  if (contact === undefined && (configured === undefined || account !== "full")) return [neverSeen];
  const effect: Allowed["effect"] = ({ json }) => {
    const record = json as Json;
    const subject = contact ?? newContact(request);
    const [state, one] = configured ?? [];
    return {
      world: learn(world, subject, record),
      findings:
        contact === undefined
          ? // An earlier check may have unsubscribed it.
            [
              oneOf(["MEMB-3", "MEMB-18"], "status", membershipsIn(record).get(Number(one?.list))?.status, [
                state,
                "unsubscribed",
              ]),
            ]
          : recordFindings(world, contact, record),
    };
  };
  return [{ ids: ["CONT-23"], status: "2XX", effect }];
}

/** Unsubscribing from one list or from everything. */
export function unsubscribeContact(world: World, request: ModelRequest, context: Context): Allowed[] {
  const { body = {}, key, path } = request;
  const contact = contactOf(world, accountOf(key), path?.email);
  const list = body.list_id as number | undefined;
  const unknown = rejected(["UNSUB-12", "AUTH-2"], "404.not_found");
  const isForeign = list !== undefined && !listsOf(world, accountOf(key), context).has(list);
  const rejections = [
    ...rejectionsOfUnsubscribe(body),
    ...(isForeign ? [unknown] : []),
    ...(contact === undefined ? [neverSeen] : []),
  ];
  if (contact === undefined || rejections.length > 0) return rejections;
  const isOn = list === undefined || contact.memberships.has(list);
  const after: Contact = { ...contact, hasLeft: contact.hasLeft || list === undefined };
  const isLeft = (id: number): boolean => list === undefined || id === list;
  const ids = list === undefined ? ["UNSUB-1", "UNSUB-9"] : ["UNSUB-4", "UNSUB-5", "UNSUB-9"];
  const left: Allowed = {
    ids,
    status: "2XX",
    effect: ({ json }) => ({
      world: learn(world, after, json as Json),
      findings: recordFindings(
        { ...world, last: { account: contact.account, ids } },
        after,
        json as Json,
        (subject, before, id) =>
          isLeft(id)
            ? leftFindings(subject, before, context)
            : sameFindings(subject, before, contact.open.get(id)),
      ),
    }),
  };
  // The response for a list of the account that the contact is not on is unspecified.
  return isOn ? [left] : [unknown, { ...left, ids: ["UNSUB-5"] }];
}

const membershipsIn = ({ lists }: Json): Map<number, Json> =>
  new Map((Array.isArray(lists) ? (lists as Json[]) : []).map((one) => [Number(one.list_id), one]));

/** The world with a contact as its record shows it. */
const learn = (world: World, contact: Contact, record: Json): World =>
  withContact(world, { ...contact, memberships: membershipsIn(record), open: new Map() });

/** Compares a contact record with what is known of the contact. */
function recordFindings(
  world: World,
  contact: Contact,
  record: Json,
  compare = (subject: Subject, before: Json, list: number) =>
    sameFindings(subject, before, contact.open.get(list)),
): ResponseFinding[] {
  const { account, hasLeft } = contact;
  const ids = ["CONT-25", ...idsOfLast(world, account)];
  const found = membershipsIn(record);
  const shown = Array.isArray(record.lists) ? (record.lists as Json[]).map(({ list_id }) => list_id) : [];
  const isSubscribed = [...found.values()].some(({ status }) => status === "subscribed");
  const fallbacks = fallbacksOf(world, account);
  return [
    equals(["CONT-23", "MEMB-2", ...ids], "email", record.email, contact.email),
    equals(
      ["MEMB-1", ...ids],
      "the lists of the contact",
      shown.map(String).sort(),
      [...contact.memberships.keys()].map(String).sort(),
    ),
    ...[...contact.memberships].flatMap(([list, before]) =>
      compare({ membership: found.get(list) ?? {}, ids, fallbacks }, before, list),
    ),
    ...(hasLeft || isSubscribed
      ? [equals(["CONT-24", "UNSUB-2", ...ids], "marketing_blocked", record.marketing_blocked, hasLeft)]
      : []),
  ];
}
