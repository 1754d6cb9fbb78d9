import { type Contact, day, iso, type Member } from "./history.ts";
import type { Mutant } from "./mutant.ts";
import { fieldsOf, isUpsert, type Json, listOf, objectOf } from "./newsletter.ts";
import { contacts, isUpdate, memberships, postResponses, posts, type WhichPost } from "./past.ts";

const withFieldValues =
  (change: (key: string, value: unknown) => [string, unknown] | undefined) =>
  (body: Json): Json =>
    "fields" in body && typeof body.fields === "object" && body.fields !== null
      ? {
          ...body,
          fields: Object.fromEntries(
            Object.entries(fieldsOf(body)).flatMap(([key, value]) => {
              const pair = change(key, value);
              return pair === undefined ? [] : [pair];
            }),
          ),
        }
      : body;

/** Rules that hold for a new contact only. */
export const ofRules: Mutant[] = [
  posts("CONT-9", "an update accepts a last_name of 121 characters", isUpdate, (body) =>
    typeof body.last_name === "string" ? { ...body, last_name: body.last_name.slice(0, 120) } : body,
  ),
  posts(
    "CONT-11",
    "an update accepts a value for an undefined field",
    isUpdate,
    withFieldValues((key, value) =>
      /^(city|orders|birthday|website|note_\d+)$/.test(key) ? [key, value] : undefined,
    ),
  ),
];

export const ofResponses: Mutant[] = [
  memberships("MEMB-10", "unsubscribed_at changes with an update", (one, { lists }, request) =>
    isUpsert(request) && lists.get(one.list_id)?.left === true && typeof one.unsubscribed_at === "string"
      ? { ...one, unsubscribed_at: iso(Date.parse(one.unsubscribed_at) - day) }
      : one,
  ),
];

/** Values of custom fields that are lost only on some paths. */
export const fieldValueMutants: Mutant[] = [
  posts(
    "CONT-13",
    "null does not clear a field of type date",
    isUpdate,
    withFieldValues((key, value) => (key === "birthday" && value === null ? undefined : [key, value])),
  ),
  posts(
    "MEMB-16",
    "a second value of a field of type number is not stored",
    isUpdate,
    withFieldValues((key, value) => (key === "orders" && value !== null ? undefined : [key, value])),
  ),
  posts(
    "LIST-6",
    "a negative number in a field loses its sign",
    () => true,
    withFieldValues((key, value) => [key, typeof value === "number" ? Math.abs(value) : value]),
  ),
];

const isNew: WhichPost = ({ member }) => member === undefined;
const isElsewhere: WhichPost = (given) =>
  isNew(given) && (given.contact?.lists.size ?? 0) > 0 && given.contact?.leftAll === false;
const membersOf = ({ contact }: Parameters<WhichPost>[0]): Member[] => [...(contact?.lists.values() ?? [])];
const anyTime = "2026-01-05T08:00:00Z";

export const ofStates: Mutant[] = [
  postResponses(
    "MEMB-11",
    "a contact that is on another list is subscribed immediately to a list with double opt-in",
    isElsewhere,
    (response, one) =>
      one.status === "pending"
        ? { ...response, body: { ...one, status: "subscribed", subscribed_at: anyTime } }
        : response,
  ),
  postResponses(
    "MEMB-13",
    "a contact that is on another list is pending on a list without double opt-in",
    isElsewhere,
    (response, one) =>
      one.status === "subscribed"
        ? { ...response, body: { ...one, status: "pending", subscribed_at: null } }
        : response,
  ),
];

export const ofStatuses: Mutant[] = [
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

export const ofRecords: Mutant[] = [
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
    "MEMB-16",
    "an update after the confirmation makes a contact pending again",
    (one, { lists: all }, request) =>
      isUpsert(request) && one.status === "subscribed" && all.get(one.list_id)?.joined.status === "pending"
        ? { ...one, status: "pending", subscribed_at: null }
        : one,
  ),
];
