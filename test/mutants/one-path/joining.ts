import type { Contact, Member } from "../history.ts";
import type { Mutant } from "../mutant.ts";
import { isUpsert, type Json, listOf, objectOf } from "../newsletter.ts";
import { contacts, memberships, postResponses, type WhichPost } from "./of-contacts.ts";

const isNew: WhichPost = ({ member }) => member === undefined;
const isElsewhere: WhichPost = (given) =>
  isNew(given) && (given.contact?.lists.size ?? 0) > 0 && given.contact?.leftAll === false;
const membersOf = ({ contact }: Parameters<WhichPost>[0]): Member[] => [...(contact?.lists.values() ?? [])];
const anyTime = "2026-01-05T08:00:00Z";

/** How a contact joins, as in titles. */
const paths: [string, WhichPost][] = [["that is on another list", isElsewhere]];

const ofStates: Mutant[] = paths.flatMap(([path, which]) => [
  postResponses(
    "MEMB-11",
    `a contact ${path} is subscribed immediately to a list with double opt-in`,
    which,
    (response, one) =>
      one.status === "pending"
        ? { ...response, body: { ...one, status: "subscribed", subscribed_at: anyTime } }
        : response,
  ),
  postResponses(
    "MEMB-13",
    `a contact ${path} is pending on a list without double opt-in`,
    which,
    (response, one) =>
      one.status === "subscribed"
        ? { ...response, body: { ...one, status: "pending", subscribed_at: null } }
        : response,
  ),
]);

const ofStatuses: Mutant[] = [
  postResponses(
    "CONT-1",
    "adding a contact that left another list returns 200",
    (given) => isElsewhere(given) && membersOf(given).some(({ left }) => left),
    (response) => ({ ...response, status: 200 }),
  ),
  postResponses(
    "CONT-1",
    "adding a contact that is pending on another list returns 200",
    (given) => isElsewhere(given) && membersOf(given).some(({ joined }) => joined.status === "pending"),
    (response) => ({ ...response, status: 200 }),
  ),
];

const lists = (record: Json): Json[] => listOf(record.lists).map(objectOf);
const withLists =
  (change: (all: Json[]) => Json[]) =>
  (record: Json): Json => ({ ...record, lists: change(lists(record)) });
const has = (status: string, record: Json): boolean => lists(record).some((one) => one.status === status);
const isOnMany = ({ lists: all }: Contact): boolean => all.size > 1;

const ofRecords: Mutant[] = [
  contacts(
    "CONT-25",
    "the record of a contact on three lists lacks one",
    (_, record) => lists(record).length > 2,
    withLists((all) => all.slice(0, 2)),
  ),
  contacts(
    "MEMB-8",
    "the tags of the second list are missing in the record",
    isOnMany,
    withLists((all) => all.map((one, index) => (index === 1 ? { ...one, tags: [] } : one))),
  ),
  contacts(
    "MEMB-7",
    "the fields of the second list are missing in the record",
    isOnMany,
    withLists((all) => all.map((one, index) => (index === 1 ? { ...one, fields: {} } : one))),
  ),
  contacts(
    "MEMB-5",
    "the first name of the second list is missing in the record",
    isOnMany,
    withLists((all) => all.map((one, index) => (index === 1 ? { ...one, first_name: null } : one))),
  ),
  contacts(
    "MEMB-1",
    "the second list of a record has the id of the first",
    isOnMany,
    withLists((all) => all.map((one, index) => (index === 1 ? { ...one, list_id: all[0]?.list_id } : one))),
  ),
  contacts(
    "CONT-24",
    "a contact that is subscribed to a list is blocked while it is pending on another",
    ({ leftAll }, record) => !leftAll && has("pending", record) && has("subscribed", record),
    (record) => ({ ...record, marketing_blocked: true }),
  ),
  memberships(
    "MEMB-15",
    "a contact that joined with a first name stays pending after its confirmation",
    (one, { lists: all }, request) =>
      !isUpsert(request) &&
      one.status === "subscribed" &&
      all.get(one.list_id)?.joined.status === "pending" &&
      typeof one.first_name === "string"
        ? { ...one, status: "pending", subscribed_at: null }
        : one,
  ),
  memberships(
    "MEMB-16",
    "an update after the confirmation makes a contact pending again",
    (one, { lists: all }, request) =>
      isUpsert(request) && one.status === "subscribed" && all.get(one.list_id)?.joined.status === "pending"
        ? { ...one, status: "pending", subscribed_at: null }
        : one,
  ),
];

/** Contacts that join lists in a wrong way only on some paths. */
export const joiningMutants: Mutant[] = [...ofStates, ...ofStatuses, ...ofRecords];
