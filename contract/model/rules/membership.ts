import { lifecycles } from "../../../generated/lifecycles.ts";
import { asSet, type Finding, type Ids, oneOf, provenIf, within } from "../findings.ts";
import { type Contact, entriesIn, type Given, type Json } from "../world.ts";
import { entriesOf } from "./lists.ts";

/** The requirements of the properties of a membership, except the custom fields. */
const properties = {
  list_id: ["MEMB-1"],
  email: ["MEMB-2"],
  status: ["MEMB-3"],
  first_name: ["MEMB-5"],
  last_name: ["MEMB-6"],
  tags: ["MEMB-8", "CONT-16"],
  subscribed_at: ["MEMB-9"],
  unsubscribed_at: ["MEMB-10"],
};

const ofStatus = ["status", "subscribed_at", "unsubscribed_at"];
/** The requirements on requests that are about the status of a membership, not about its other properties. */
const idsOfStatus = ["CONT-4", "MEMB-11", "MEMB-13", "MEMB-15", "MEMB-17", "UNSUB-1", "UNSUB-4", "UNSUB-10"];

/** Compares a membership with the ways it may be, in the properties that they have; `ids` are the requirements that this rests on. */
export function membershipFindings(
  given: Given,
  ids: Ids,
  found: Json,
  possible: readonly Json[],
): Finding[] {
  const compare = (own: string[], name: string, valueIn: (one: Json) => unknown): Finding => {
    const reasons = ids.filter((id) => ofStatus.includes(name) || !idsOfStatus.includes(id));
    const finding = oneOf([...own, ...reasons], name, valueIn(found), possible.map(valueIn));
    // Only an update can add tags to others, or remove them.
    return provenIf(ids.includes("CONT-2"), finding, ["CONT-16"]);
  };
  const customFields = entriesOf(given, "fields");
  // Whether a number comes back as a number or as text is unspecified, and so is what a field without a value shows.
  const shown = ({ fields }: Json, key: string): string | null => {
    // A response may have null in its place, which its schema check reports.
    const value = (fields as Json | null | undefined)?.[key] ?? null;
    return value === null || value === customFields.get(key)?.fallback ? null : String(value);
  };
  const keys = possible.flatMap(({ fields }) =>
    fields ? Object.keys({ ...fields, ...(found.fields as Json) }) : [],
  );
  return [
    ...Object.entries(properties)
      .filter(([name]) => possible.some((one) => name in one))
      .map(([name, own]) => compare(own, name, (one) => asSet(one[name]))),
    ...[...new Set(keys)].map((key) => {
      const isCleared = possible.some((one) => shown(one, key) === null);
      const ofDate = customFields.get(key)?.type === "date" ? ["LIST-9"] : [];
      const own = ["MEMB-7", ...(isCleared ? ["CONT-13"] : ["LIST-6", ...ofDate])];
      const finding = compare(own, `fields.${key}`, (one) => shown(one, key));
      return provenIf((given.body.fields as Json | undefined)?.[key] === null, finding, ["CONT-13"]);
    }),
  ];
}

/** The statuses that no request but an unsubscribe changes, and whose details an update may leave as they were. */
export const isFinal = ({ status }: Json): boolean => status === "unsubscribed" || status === "complained";

/** The names, custom fields and tags of a membership after a request: as sent, else as before. */
export const detailsAfter = (before: Json, body: Json): Json => ({
  first_name: body.first_name ?? before.first_name ?? null,
  last_name: body.last_name ?? before.last_name ?? null,
  fields: { ...(before.fields as Json), ...(body.fields as Json) },
  tags: [...entriesIn(before.tags), ...entriesIn(body.tags)],
});

/** A membership after a request that adds it. */
export function added({ body, sentAt, now }: Given, contact: Contact, isPending: boolean): Json[] {
  const joined = isPending
    ? { status: "pending", subscribed_at: null, unsubscribed_at: null }
    : { status: "subscribed", subscribed_at: within(sentAt, now), unsubscribed_at: null };
  // After unsubscribing from everything, the status is unspecified, but the contact is not put back.
  const statuses = lifecycles.membership.states.filter((one) => one !== "pending" && one !== "subscribed");
  const states: Json[] = contact.hasLeft ? statuses.map((status) => ({ status })) : [joined];
  // Whether a contact has the same details on all lists is unspecified.
  const details = [{}, ...[...contact.memberships.values()].flat()].map((one) => detailsAfter(one, body));
  const own = { list_id: body.list_id, email: contact.email };
  return states.flatMap((state) => details.map((one) => ({ ...own, ...state, ...one })));
}

/** A membership after an update. */
export const updated = (before: Json, body: Json): Json[] => [
  { ...before, ...detailsAfter(before, body) },
  ...(isFinal(before) ? [before] : []),
];

/** A membership after an unsubscribe. */
export function ended({ sentAt, now }: Given, before: Json): Json[] {
  const { list_id, status, subscribed_at, unsubscribed_at } = before;
  // Whether a contact that complained has it is unspecified.
  const joined = status === "complained" ? {} : { subscribed_at };
  const times = [within(sentAt, now), ...(status === "unsubscribed" ? [unsubscribed_at] : [])];
  return times.map((at) => ({ list_id, status: "unsubscribed", ...joined, unsubscribed_at: at }));
}
