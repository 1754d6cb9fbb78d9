import { accountOf } from "../../engine/settings.ts";
import { type Allowed, equals, rejected } from "../allowed.ts";
import {
  type Contact,
  type Context,
  contactOf,
  type Json,
  lowerCase,
  type ModelRequest,
  type World,
  withContact,
} from "../world.ts";
import { addedFindings, leftFindings, sameFindings, updatedFindings } from "./membership.ts";

/** A contact that the model has not seen yet: the sequence chose its email address. */
const newContact = (request: ModelRequest): Contact => ({
  account: accountOf(request.key),
  email: lowerCase(request.body?.email),
  memberships: new Map(),
  open: new Set(),
  hasLeft: false,
});

/** Adding or updating a contact. */
export function upsertContact(world: World, request: ModelRequest, context: Context): Allowed[] {
  const { body = {} } = request;
  const list = Number(body.list_id);
  if (list === context.fixtures.lists?.otherAccount) return [rejected(["CONT-7", "AUTH-2"], "404.not_found")];
  const contact = contactOf(world, accountOf(request.key), body.email) ?? newContact(request);
  const known = contact.memberships.get(list);
  const effect: Allowed["effect"] = ({ json }) => {
    const membership = json as Json;
    const memberships = new Map(contact.memberships).set(list, membership);
    // Details may belong to the contact or to the membership: the next lookup tells.
    const open = new Set([...contact.open, ...memberships.keys()].filter((other) => other !== list));
    return {
      world: withContact(world, { ...contact, memberships, open }),
      findings: [
        equals(["MEMB-1", "CONT-3"], "list_id", membership.list_id, list),
        equals(["MEMB-2"], "email", membership.email, contact.email),
        ...(known === undefined
          ? addedFindings(membership, body, contact, context)
          : updatedFindings(known, membership, body)),
      ],
    };
  };
  // After unsubscribing from everything, the response to adding to a further list is unspecified.
  if (known === undefined && contact.hasLeft) return [{ ids: ["MEMB-17"], status: "2XX", effect }];
  return [
    { ids: known === undefined ? ["CONT-1"] : ["CONT-2"], status: known === undefined ? 201 : 200, effect },
  ];
}

/** A lookup of a contact. */
export function getContact(world: World, request: ModelRequest): Allowed[] {
  const contact = contactOf(world, accountOf(request.key), request.path?.email);
  if (contact === undefined) return [rejected(["CONT-26", "AUTH-2"], "404.not_found")];
  const effect: Allowed["effect"] = ({ json }) => {
    const record = json as Json;
    return { world: learn(world, contact, record), findings: recordFindings(contact, record) };
  };
  return [{ ids: ["CONT-23"], status: "2XX", effect }];
}

/** Unsubscribing from one list or from everything. */
export function unsubscribeContact(world: World, request: ModelRequest, context: Context): Allowed[] {
  const contact = contactOf(world, accountOf(request.key), request.path?.email);
  const list = request.body?.list_id as number | undefined;
  const unknown = rejected(["UNSUB-12", "AUTH-2"], "404.not_found");
  if (list !== undefined && list === context.fixtures.lists?.otherAccount) return [unknown];
  if (contact === undefined) return [rejected(["CONT-26", "AUTH-2"], "404.not_found")];
  // The response for a list of the account that the contact is not on is unspecified.
  if (list !== undefined && !contact.memberships.has(list)) return [unknown, unchanged(world, contact)];
  const after: Contact = { ...contact, hasLeft: contact.hasLeft || list === undefined };
  const isLeft = (id: number): boolean => list === undefined || id === list;
  const effect: Allowed["effect"] = ({ json }) => {
    const record = json as Json;
    return {
      world: learn(world, after, record),
      findings: recordFindings(after, record, (before, now, id) =>
        isLeft(id)
          ? leftFindings(before, now, context)
          : sameFindings(before, now, ["UNSUB-5"], contact.open.has(id)),
      ),
    };
  };
  return [
    { ids: list === undefined ? ["UNSUB-1", "UNSUB-9"] : ["UNSUB-4", "UNSUB-9"], status: "2XX", effect },
  ];
}

const unchanged = (world: World, contact: Contact): Allowed => ({
  ids: [],
  status: "2XX",
  effect: ({ json }) => ({
    world: learn(world, contact, json as Json),
    findings: recordFindings(contact, json as Json),
  }),
});

const membershipsIn = ({ lists }: Json): Map<number, Json> =>
  new Map((Array.isArray(lists) ? (lists as Json[]) : []).map((one) => [Number(one.list_id), one]));

/** The world with a contact as its record shows it. */
const learn = (world: World, contact: Contact, record: Json): World =>
  withContact(world, { ...contact, memberships: membershipsIn(record), open: new Set() });

/** Compares a contact record with what is known of the contact. */
function recordFindings(
  contact: Contact,
  record: Json,
  compare = (before: Json, now: Json, list: number) =>
    sameFindings(before, now, ["CONT-25", "MEMB-16", "MEMB-17", "UNSUB-10"], contact.open.has(list)),
): ReturnType<typeof sameFindings> {
  const found = membershipsIn(record);
  const lists = (of: Contact["memberships"]): number[] => [...of.keys()].sort((one, other) => one - other);
  const isSubscribed = [...found.values()].some(({ status }) => status === "subscribed");
  const { hasLeft } = contact;
  return [
    equals(["CONT-23", "MEMB-2"], "email", record.email, contact.email),
    equals(["CONT-25"], "the lists of the contact", lists(found), lists(contact.memberships)),
    ...(hasLeft || isSubscribed
      ? [equals(["CONT-24", "UNSUB-2"], "marketing_blocked", record.marketing_blocked, hasLeft)]
      : []),
    ...[...contact.memberships].flatMap(([list, before]) => compare(before, found.get(list) ?? {}, list)),
  ];
}
