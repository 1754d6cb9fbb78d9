import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../../lib/is-object.ts";
import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import { format } from "../../support/assertions.ts";
import { asSet, between, equals, oneOf } from "../allowed.ts";
import type { Contact, Context, Json } from "../world.ts";

const names = { first_name: "MEMB-5", last_name: "MEMB-6" } as const;

/** A membership that a request added. */
export function addedFindings(
  membership: Json,
  body: Json,
  contact: Contact,
  { fixtures: { lists = {} }, sentAt, now }: Context,
): ResponseFinding[] {
  const isPending = body.list_id === lists.doubleOptIn;
  const status = isPending ? "pending" : "subscribed";
  const others = [...contact.memberships.values()];
  return [
    ...(contact.hasLeft
      ? [isNotBack(membership)]
      : [
          equals(isPending ? ["MEMB-11"] : ["MEMB-13"], "status", membership.status, status),
          isPending
            ? equals(["MEMB-9"], "subscribed_at", membership.subscribed_at, null)
            : between(["MEMB-9"], "subscribed_at", membership.subscribed_at, [sentAt, now]),
          equals(["MEMB-10"], "unsubscribed_at", membership.unsubscribed_at, null),
        ]),
    // Whether a contact has the same details on all lists is unspecified.
    ...detailFindings(
      [{ first_name: null, last_name: null, fields: {}, tags: [] }, ...others],
      membership,
      body,
    ),
  ];
}

const isNotBack = ({ status }: Json): ResponseFinding =>
  finding(
    ["MEMB-17", "UNSUB-10"],
    "the status after unsubscribing from everything",
    status !== "subscribed" && status !== "pending",
    {
      expected: "neither subscribed nor pending",
      found: format(status),
    },
  );

/** The statuses whose details an update may leave as they were. */
const isFinal = ({ status }: Json): boolean => status === "unsubscribed" || status === "complained";

/** A membership that a request updated. */
export const updatedFindings = (before: Json, membership: Json, body: Json): ResponseFinding[] => [
  equals([isFinal(before) ? "MEMB-17" : "MEMB-16"], "status", membership.status, before.status),
  equals(["MEMB-9"], "subscribed_at", membership.subscribed_at, before.subscribed_at),
  equals(["MEMB-10"], "unsubscribed_at", membership.unsubscribed_at, before.unsubscribed_at),
  ...(isFinal(before) ? [] : detailFindings([before], membership, body)),
];

/** The names, fields and tags of a membership: as sent, else as in one of the records before. */
function detailFindings(before: readonly Json[], membership: Json, body: Json): ResponseFinding[] {
  const tags = (of: Json): unknown[] => (Array.isArray(of.tags) ? of.tags : []);
  return [
    ...Object.entries(names).map(([name, id]) =>
      name in body
        ? equals([id, "MEMB-16"], name, membership[name], body[name])
        : oneOf(
            [id, "MEMB-16"],
            name,
            membership[name],
            before.map((one) => one[name]),
          ),
    ),
    oneOf(
      ["MEMB-8", "CONT-16"],
      "tags",
      asSet(membership.tags),
      before.map((one) => asSet([...tags(one), ...tags(body)])),
    ),
    ...fieldFindings(before, membership, body),
  ];
}

const fieldsOf = ({ fields }: Json): Json => (isObject(fields) ? (fields as Json) : {});

function fieldFindings(before: readonly Json[], membership: Json, body: Json): ResponseFinding[] {
  const [sent, found] = [fieldsOf(body), fieldsOf(membership)];
  const kept = new Set(before.flatMap((one) => Object.keys(fieldsOf(one))).filter((key) => !(key in sent)));
  return [
    // Whether a number comes back as a number or as text is unspecified.
    ...Object.entries(sent).map(([key, value]) =>
      value === null
        ? oneOf(["CONT-13"], `fields.${key}`, found[key] ?? null, [null])
        : equals(["MEMB-7", "MEMB-16"], `fields.${key}`, String(found[key]), String(value)),
    ),
    ...[...kept].map((key) =>
      oneOf(
        ["MEMB-7", "CONT-13"],
        `fields.${key}`,
        found[key] ?? null,
        before.map((one) => fieldsOf(one)[key] ?? null),
      ),
    ),
  ];
}

/** The properties of a membership that no request for another list changes. */
const own = ["list_id", "email", "status", "subscribed_at", "unsubscribed_at"] as const;
const details = ["first_name", "last_name", "fields", "tags"] as const;

/** A membership that no request changed since the record before. */
export const sameFindings = (before: Json, now: Json, ids: string[], isOpen = false): ResponseFinding[] => [
  ...own.map((name) => {
    const expected = before[name];
    // The time of a confirmation, which no response has shown yet.
    if (typeof expected === "number" && name === "subscribed_at")
      return between(["MEMB-15", "MEMB-9"], name, now[name], [expected, expected]);
    return equals(name === "status" ? [...ids, "MEMB-15"] : ids, name, now[name], expected);
  }),
  ...(isOpen ? [] : details.map((name) => equals(ids, name, now[name], before[name]))),
];

/** A membership that a request ended. */
export function leftFindings(before: Json, now: Json, { sentAt, now: at }: Context): ResponseFinding[] {
  const wasLeft = before.status === "unsubscribed";
  const isSame = wasLeft && isDeepStrictEqual(now.unsubscribed_at, before.unsubscribed_at);
  return [
    equals(["UNSUB-1", "UNSUB-4"], "status", now.status, "unsubscribed"),
    ...(isSame ? [] : [between(["MEMB-10"], "unsubscribed_at", now.unsubscribed_at, [sentAt, at])]),
    equals(["MEMB-9"], "subscribed_at", now.subscribed_at, before.subscribed_at),
  ];
}
