import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../../lib/is-object.ts";
import { format } from "../../support/assertions.ts";
import { asSet, between, equals, expects, type Finding, oneOf } from "../allowed.ts";
import type { Contact, Context, Json } from "../world.ts";

/** What is compared in a membership, and why. */
export interface Subject {
  membership: Json;
  /** The requirements that the comparison rests on. */
  ids: readonly string[];
  /** The listed custom fields of the account by key. */
  customFields: ReadonlyMap<unknown, Json>;
}

/** The requirements of the properties that no request for another list changes. */
const own = {
  list_id: "MEMB-1",
  email: "MEMB-2",
  status: "MEMB-3",
  subscribed_at: "MEMB-9",
  unsubscribed_at: "MEMB-10",
};

/** A contact that no request gave any details. */
const noDetails: Json = { first_name: null, last_name: null, fields: {}, tags: [] };

const tagsOf = ({ tags }: Json): unknown[] => (Array.isArray(tags) ? tags : []);
const fieldsOf = ({ fields }: Json): Json => (isObject(fields) ? (fields as Json) : {});

/** The details of a membership after a request: as sent, else as before. */
export const detailsAfter = (before: Json, body: Json): Json => ({
  first_name: body.first_name ?? before.first_name,
  last_name: body.last_name ?? before.last_name,
  fields: { ...fieldsOf(before), ...fieldsOf(body) },
  tags: [...tagsOf(before), ...tagsOf(body)],
});

/** Names, tags and fields, each as in one of several records. */
function detailFindings({ membership, ids, customFields }: Subject, records: readonly Json[]): Finding[] {
  // Whether a number comes back as a number or as text is unspecified, and so is what a field without a value shows.
  const shownIn = (one: Json, key: string): string | null => {
    const value = fieldsOf(one)[key] ?? null;
    return value === null || value === customFields.get(key)?.fallback ? null : String(value);
  };
  const one = (own: string[], name: string, valueIn: (record: Json) => unknown): Finding =>
    oneOf([...own, ...ids], name, valueIn(membership), records.map(valueIn));
  const keys = new Set([...records, membership].flatMap((record) => Object.keys(fieldsOf(record))));
  const fieldFinding = (key: string): Finding => {
    const isCleared = records.some((record) => shownIn(record, key) === null);
    const own = isCleared ? ["CONT-13"] : ["LIST-6", "LIST-9"];
    return one(["MEMB-7", ...own], `fields.${key}`, (record) => shownIn(record, key));
  };
  return [
    one(["MEMB-5"], "first_name", (record) => record.first_name),
    one(["MEMB-6"], "last_name", (record) => record.last_name),
    one(["MEMB-8", "CONT-16"], "tags", (record) => asSet(tagsOf(record))),
    ...[...keys].map(fieldFinding),
  ];
}

/** A membership that a request added. */
export function addedFindings(
  subject: Subject,
  body: Json,
  contact: Contact,
  isPending: boolean | undefined,
  { sentAt, now }: Context,
): Finding[] {
  const { ids } = subject;
  const { status, subscribed_at, unsubscribed_at } = subject.membership;
  // Whether a contact has the same details on all lists is unspecified.
  const records = [noDetails, ...contact.memberships.values()].map((one) => detailsAfter(one, body));
  const details = detailFindings(subject, records);
  const isBack = status === "subscribed" || status === "pending";
  if (contact.hasLeft)
    return [
      expects(["MEMB-17", "UNSUB-10"], !isBack, "neither subscribed nor pending", format(status)),
      ...details,
    ];
  return [
    equals(
      [isPending ? "MEMB-11" : "MEMB-13", "CONT-4", ...ids],
      "status",
      status,
      isPending ? "pending" : "subscribed",
    ),
    isPending
      ? equals(["MEMB-9"], "subscribed_at", subscribed_at, null)
      : between(["MEMB-9"], "subscribed_at", subscribed_at, sentAt, now),
    equals(["MEMB-10"], "unsubscribed_at", unsubscribed_at, null),
    ...details,
  ];
}

/** The statuses that no request but an unsubscribe changes, and whose details an update may leave as they were. */
export const isFinal = ({ status }: Json): boolean => status === "unsubscribed" || status === "complained";

/** A membership that a request updated. */
export const updatedFindings = (subject: Subject, before: Json, body: Json): Finding[] => [
  ...ownFindings(subject, before),
  ...detailFindings(subject, [detailsAfter(before, body), ...(isFinal(before) ? [before] : [])]),
];

const ownFindings = ({ membership, ids }: Subject, before: Json): Finding[] =>
  Object.entries(own).map(([name, id]) => {
    const expected = before[name];
    // The time of a confirmation, which no response has shown yet.
    if (typeof expected === "number" && name === "subscribed_at")
      return between(["MEMB-15", id, ...ids], name, membership[name], expected, expected);
    const kept = name === "status" ? [isFinal(before) ? "MEMB-17" : "MEMB-16"] : [];
    return equals([id, ...kept, ...ids], name, membership[name], expected);
  });

/** A membership that no request for its list changed; its details may be those of an update for another list. */
export const sameFindings = (subject: Subject, before: Json, open: Json = before): Finding[] => [
  ...ownFindings(subject, before),
  ...detailFindings(subject, [before, open]),
];

/** A membership that a request ended. */
export function leftFindings(subject: Subject, before: Json, { sentAt, now }: Context): Finding[] {
  const { ids } = subject;
  const { status, subscribed_at, unsubscribed_at } = subject.membership;
  const isSame =
    before.status === "unsubscribed" && isDeepStrictEqual(unsubscribed_at, before.unsubscribed_at);
  const left = between(["MEMB-10", ...ids], "unsubscribed_at", unsubscribed_at, sentAt, now);
  const joined = equals(["MEMB-9", ...ids], "subscribed_at", subscribed_at, before.subscribed_at);
  return [
    equals(ids, "status", status, "unsubscribed"),
    ...(isSame ? [] : [left]),
    // Whether a contact that complained has it is unspecified.
    ...(before.status === "complained" ? [] : [joined]),
  ];
}
