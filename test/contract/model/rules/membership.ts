import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../../lib/is-object.ts";
import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import { format } from "../../support/assertions.ts";
import { asSet, between, equals, oneOf } from "../allowed.ts";
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
  list_id: ["MEMB-1"],
  email: ["MEMB-2"],
  status: ["MEMB-3"],
  subscribed_at: ["MEMB-9"],
  unsubscribed_at: ["MEMB-10"],
};
const names = { first_name: ["MEMB-5"], last_name: ["MEMB-6"] };

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
function detailFindings(
  { membership, ids, customFields }: Subject,
  records: readonly Json[],
): ResponseFinding[] {
  const found = fieldsOf(membership);
  const keys = new Set([...records, membership].flatMap((one) => Object.keys(fieldsOf(one))));
  // Whether a number comes back as a number or as text is unspecified, and so is what a field without a value shows.
  const shownIn = (one: Json, key: string): string | null =>
    one[key] === undefined || one[key] === null || one[key] === customFields.get(key)?.fallback
      ? null
      : String(one[key]);
  return [
    ...Object.entries(names).map(([name, own]) =>
      oneOf(
        [...own, ...ids],
        name,
        membership[name],
        records.map((one) => one[name]),
      ),
    ),
    oneOf(
      ["MEMB-8", "CONT-16", ...ids],
      "tags",
      asSet(tagsOf(membership)),
      records.map((one) => asSet(tagsOf(one))),
    ),
    ...[...keys].map((key) => {
      const values = records.map((one) => shownIn(fieldsOf(one), key));
      const isCleared = values.includes(null);
      return oneOf(
        ["MEMB-7", ...(isCleared ? ["CONT-13"] : ["LIST-6", "LIST-9"]), ...ids],
        `fields.${key}`,
        shownIn(found, key),
        values,
      );
    }),
  ];
}

/** A membership that a request added. */
export function addedFindings(
  subject: Subject,
  body: Json,
  contact: Contact,
  isPending: boolean | undefined,
  { sentAt, now }: Context,
): ResponseFinding[] {
  const { membership, ids } = subject;
  // Whether a contact has the same details on all lists is unspecified.
  const records = [noDetails, ...contact.memberships.values()].map((one) => detailsAfter(one, body));
  const details = detailFindings(subject, records);
  if (contact.hasLeft) return [isNotBack(membership), ...details];
  const [id, status] = isPending ? (["MEMB-11", "pending"] as const) : (["MEMB-13", "subscribed"] as const);
  return [
    equals([id, "CONT-4", ...ids], "status", membership.status, status),
    isPending
      ? equals(["MEMB-9"], "subscribed_at", membership.subscribed_at, null)
      : between(["MEMB-9"], "subscribed_at", membership.subscribed_at, [sentAt, now]),
    equals(["MEMB-10"], "unsubscribed_at", membership.unsubscribed_at, null),
    ...details,
  ];
}

const isNotBack = ({ status }: Json): ResponseFinding =>
  finding(
    ["MEMB-17", "UNSUB-10"],
    "the status after unsubscribing from everything",
    status !== "subscribed" && status !== "pending",
    { expected: "neither subscribed nor pending", found: format(status) },
  );

/** The statuses that no request but an unsubscribe changes, and whose details an update may leave as they were. */
export const isFinal = ({ status }: Json): boolean => status === "unsubscribed" || status === "complained";

/** A membership that a request updated. */
export const updatedFindings = (subject: Subject, before: Json, body: Json): ResponseFinding[] => [
  ...ownFindings(subject, before),
  ...detailFindings(subject, [detailsAfter(before, body), ...(isFinal(before) ? [before] : [])]),
];

const ownFindings = ({ membership, ids }: Subject, before: Json): ResponseFinding[] =>
  Object.entries(own).map(([name, own]) => {
    const expected = before[name];
    // The time of a confirmation, which no response has shown yet.
    if (typeof expected === "number" && name === "subscribed_at")
      return between(["MEMB-15", ...own, ...ids], name, membership[name], [expected, expected]);
    const kept = name === "status" ? [isFinal(before) ? "MEMB-17" : "MEMB-16"] : [];
    return equals([...own, ...kept, ...ids], name, membership[name], expected);
  });

/** A membership that no request for its list changed; its details may be those of an update for another list. */
export const sameFindings = (subject: Subject, before: Json, open?: Json): ResponseFinding[] => [
  ...ownFindings(subject, before),
  ...detailFindings(subject, open === undefined ? [before] : [before, open]),
];

/** A membership that a request ended. */
export function leftFindings(
  { membership, ids }: Subject,
  before: Json,
  { sentAt, now }: Context,
): ResponseFinding[] {
  const wasLeft = before.status === "unsubscribed";
  const isSame = wasLeft && isDeepStrictEqual(membership.unsubscribed_at, before.unsubscribed_at);
  return [
    equals([...ids], "status", membership.status, "unsubscribed"),
    ...(isSame
      ? []
      : [between(["MEMB-10", ...ids], "unsubscribed_at", membership.unsubscribed_at, [sentAt, now])]),
    // Whether a contact that complained has it is unspecified.
    ...(before.status === "complained"
      ? []
      : [equals(["MEMB-9", ...ids], "subscribed_at", membership.subscribed_at, before.subscribed_at)]),
  ];
}
