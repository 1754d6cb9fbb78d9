import { type Allowed, type Effect, isError, notFound, success } from "../allowed.ts";
import { equals, type Ids, oneOf, provenIf } from "../findings.ts";
import { type Contact, contactOf, entriesIn, type Given, type Json, withContact } from "../world.ts";
import { entriesOf, isOfOther, rejectionsOfFields } from "./lists.ts";
import { added, detailsAfter, ended, isFinal, membershipFindings, updated } from "./membership.ts";

/** Adding or updating a contact. */
export function upsertContact(given: Given): Allowed[] {
  const { world, account, body } = given;
  const list = Number(body.list_id);
  const lists = entriesOf(given, "lists");
  const isUnknown = Number.isInteger(list) && !lists.has(list);
  const unknown = { ...notFound("CONT-7", isOfOther(given, list)), fields: [["list_id"]] };
  const rejections = [...rejectionsOfFields(given), ...(isUnknown ? [unknown] : [])];
  if (rejections.some(({ ids }) => ids.length > 0)) return rejections;
  const email = String(body.email).toLowerCase();
  const unseen: Contact = { account, email, memberships: new Map(), hasLeft: false };
  const contact = contactOf(world, account, email) ?? unseen;
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
    world: withContact(world, { ...contact, memberships: others.set(list, [json]) }),
    findings: [
      equals(["CONT-3"], "list_id", json.list_id, list),
      ...membershipFindings(given, ids, json, possible),
    ],
  });
  // After unsubscribing from everything, the response to adding to a further list is unspecified.
  return [success(ids, effect, known ? 200 : hasLeft ? "2XX" : 201), ...rejections];
}

/** A lookup of a contact. */
export function getContact(given: Given): Allowed[] {
  const { account, path, world } = given;
  const contact = contactOf(world, account, path.email);
  if (contact === undefined) return ofConfiguration(given);
  // What changed since rests on the last request that could change a contact.
  const reasons = world.last.account === account ? world.last.ids : ["AUTH-2"];
  return [success(["CONT-23"], shows(given, contact, reasons))];
}

/** A contact that no request of the sequence was about: one of the configuration, or one that the account has never seen. */
function ofConfiguration({ world, account, path, fixtures: { contacts = {} } }: Given): Allowed[] {
  const [state, one] = Object.entries(contacts).find(([, { email }]) => email === path.email) ?? [];
  const isOfOther = world.contacts.some(({ email }) => email === path.email);
  if (one === undefined || account !== (state === "noNewsletter" ? state : "full"))
    return [notFound("CONT-26", isOfOther)];
  const found = success(["CONT-23"], (record) => {
    const memberships = membershipsIn(record);
    // An earlier check may have unsubscribed it, also from everything.
    const hasLeft =
      record.marketing_blocked === true &&
      [...memberships.values()].every(([membership]) => membership?.status === "unsubscribed");
    const status = memberships.get(one.list)?.[0]?.status;
    const isState = oneOf(["MEMB-3", "MEMB-18"], "status", status, [state, "unsubscribed"]);
    return {
      world: withContact(world, { account, email: one.email, memberships, hasLeft }),
      findings: [provenIf(state === "cleaned" && status === state, isState, ["MEMB-18"])],
    };
  });
  return [found];
}

/** Unsubscribing from one list or from everything. */
export function unsubscribeContact(given: Given): Allowed[] {
  const { world, account, path, body } = given;
  const list = body.list_id as number | undefined;
  const unknown = notFound("UNSUB-12", isOfOther(given, list));
  if (list !== undefined && !entriesOf(given, "lists").has(list)) return [unknown];
  const contact = contactOf(world, account, path.email);
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
  (given: Given, contact: Contact, reasons: Ids, changed = given.world.last.list): Effect =>
  (record) => {
    const { email, lists, marketing_blocked: isBlocked } = record;
    const { memberships, hasLeft } = contact;
    const ids = ["CONT-25", ...reasons];
    const found = entriesIn(lists);
    const isKnown = hasLeft || found.some(({ status }) => status === "subscribed");
    const idsOfBlocked = ["CONT-24", ...(hasLeft ? ["UNSUB-2"] : []), ...ids];
    return {
      world: withContact(given.world, { ...contact, memberships: membershipsIn(record) }),
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
