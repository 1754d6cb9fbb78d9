import { isObject } from "../../lib/objects.ts";
import { inObjects } from "../mutants/variants/variant.ts";
import { type ClientMutant, type Json, violating } from "./client-mutant.ts";

/** Mutants that change what the caller gets; each requirement is about the response of one operation. */
function returned(requirement: Parameters<typeof violating>[0]) {
  const changes = (title: string, change: (object: Json, name: string) => Json): ClientMutant =>
    violating(requirement).returns(title, (result) => inObjects(result, change));
  return {
    changes,
    /** Objects that have a property, without it. `beside`: a property that tells them from others. */
    drops: (title: string, property: string, beside = property): ClientMutant =>
      changes(title, (object) => {
        if (!(beside in object)) return object;
        const { [property]: _, ...rest } = object;
        return rest;
      }),
    /** Objects that have a property, with another value of it. */
    converts: (
      title: string,
      property: string,
      convert: (value: unknown) => unknown,
      beside = property,
    ): ClientMutant =>
      changes(title, (object) =>
        property in object && beside in object
          ? { ...object, [property]: convert(object[property]) }
          : object,
      ),
  };
}

const toEmpty = (value: unknown): unknown => value ?? "";
const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const first = (value: unknown): unknown => itemsOf(value).slice(0, 1);
const reversed = (value: unknown): unknown => [...itemsOf(value)].reverse();
const mapped = (value: unknown, change: (value: unknown) => unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, of]) => [name, change(of)])) : value;
const camelCase = (name: string): string =>
  name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const sent = returned("SEND-31");
const batch = returned("BATCH-9");
const message = returned("LOOK-1");
const lists = returned("LIST-1");
const fields = returned("LIST-5");
const membership = returned("CONT-3");
const contact = returned("CONT-23");
const unsubscribed = returned("UNSUB-9");

/** Messages with all their times changed. */
const times = (title: string, change: (time: string) => unknown): ClientMutant =>
  message.changes(title, (object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        name,
        /(^|_)at$/.test(name) && typeof value === "string" ? change(value) : value,
      ]),
    ),
  );

/** What the caller gets of a response. */
export const resultMutants = [
  sent.drops("drops the id of a sent message", "id", "suppressed"),
  sent.drops("drops the recipients of a sent message", "to", "suppressed"),
  sent.drops("drops the suppressed recipients", "suppressed"),
  sent.converts(
    "returns the number of suppressed recipients",
    "suppressed",
    (value) => itemsOf(value).length,
  ),
  sent.drops("drops the time of a scheduled send", "scheduled_at", "suppressed"),
  violating("SCHED-15").returns("returns nothing for a cancellation", (result, { operation }) =>
    operation === "cancelEmail" ? {} : result,
  ),
  batch.converts("returns the first entry of a batch only", "data", first),
  batch.converts("returns the entries of a batch in reverse order", "data", reversed),
  batch.converts("returns the ids of a batch only", "data", (value) =>
    itemsOf(value).map((item) => ({ id: (item as Json).id })),
  ),

  ...["id", "from", "to", "subject", "tags", "status", "status_description", "events"].map((name) =>
    message.drops(`drops ${name} of a message`, name, "events"),
  ),
  message.converts("returns the first recipient of a message only", "to", first, "events"),
  message.converts("returns the recipients of a message as a string", "to", String, "events"),
  message.converts("turns scheduled_at null into an empty string", "scheduled_at", toEmpty, "events"),
  message.converts("turns sent_at null into 0", "sent_at", (value) => value ?? 0),
  ...["sent_at", "delivered_at", "bounced_at", "complained_at", "bounce"].map((name) =>
    message.drops(`drops ${name}`, name),
  ),
  message.converts("turns bounce null into an empty object", "bounce", (value) => value ?? {}),
  ...["type", "subtype", "permanent", "summary", "what_to_do", "diagnostic"].map((name) =>
    message.drops(`drops ${name} of a bounce`, name, "what_to_do"),
  ),
  message.converts("returns permanent as a string", "permanent", String),
  message.converts("cuts diagnostic after 10 characters", "diagnostic", (value) =>
    String(value).slice(0, 10),
  ),
  message.converts("returns the last event only", "events", (value) => itemsOf(value).slice(-1)),
  message.converts("returns the events in reverse order", "events", reversed),
  message.converts("returns events as their types", "events", (value) =>
    itemsOf(value).map((one) => (one as Json).type),
  ),
  message.drops("drops the time of an event", "at", "detail"),
  message.drops("drops the detail of an event", "detail", "at"),
  message.converts("turns detail null of an event into an empty string", "detail", toEmpty),
  message.converts("returns the tags of a message as an array", "tags", (value) =>
    Object.entries(Object(value)),
  ),
  message.converts("lower-cases the tags of a message", "tags", (value) =>
    mapped(value, (tag) => String(tag).toLowerCase()),
  ),
  message.converts("drops the tags of a message that are empty", "tags", (value) =>
    Object.fromEntries(Object.entries(Object(value)).filter(([, tag]) => tag !== "")),
  ),
  message.changes("returns property names in camel case", (object) =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [camelCase(name), value])),
  ),
  times("returns times without seconds", (time) => time.replace(/:\d\d(\.\d+)?Z$/, ":00Z")),
  times("returns dates in place of times", (time) => time.slice(0, 10)),
  times("returns times without their offset", (time) => time.replace(/Z$/, "")),
  times("returns the time of another zone as UTC", (time) =>
    new Date(Date.parse(time) + 3_600_000).toISOString(),
  ),
  times("returns Unix times", (time) => Date.parse(time) / 1000),

  lists.drops("drops the id of a list", "id", "double_opt_in"),
  lists.converts("returns the id of a list as a string", "id", String, "double_opt_in"),
  lists.converts(
    "returns the id of a list as a 32-bit integer",
    "id",
    (value) => Number(value) | 0,
    "double_opt_in",
  ),
  lists.drops("drops the name of a list", "name", "double_opt_in"),
  lists.drops("drops double_opt_in", "double_opt_in"),
  lists.converts("returns double_opt_in as a string", "double_opt_in", String),
  lists.converts("returns double_opt_in as a number", "double_opt_in", Number),
  lists.converts("returns the first list only", "lists", first),

  fields.converts("returns the first custom field only", "fields", first),
  ...["key", "label", "type"].map((name) =>
    fields.drops(`drops ${name} of a custom field`, name, "fallback"),
  ),
  fields.converts("turns fallback null into an empty string", "fallback", toEmpty),

  ...["list_id", "email", "status", "status_description", "fields", "tags", "subscribed_at"].map((name) =>
    membership.drops(`drops ${name} of a membership`, name, "list_id"),
  ),
  membership.converts("returns list_id of a membership as a string", "list_id", String),
  membership.converts(
    "returns list_id of a membership as a 32-bit integer",
    "list_id",
    (value) => Number(value) | 0,
  ),
  membership.converts("turns first_name null into an empty string", "first_name", toEmpty),
  membership.converts("turns unsubscribed_at null into an empty string", "unsubscribed_at", toEmpty),
  membership.converts("returns the values of custom fields as strings", "fields", (value) =>
    mapped(value, String),
  ),
  membership.converts("returns the values of custom fields as integers", "fields", (value) =>
    mapped(value, (one) => (typeof one === "number" ? Math.trunc(one) : one)),
  ),
  membership.converts("sorts the tags of a membership", "tags", (value) => [...itemsOf(value)].sort()),
  membership.converts("drops empty tags of a membership", "tags", (value) =>
    itemsOf(value).filter((tag) => tag !== ""),
  ),

  contact.drops("drops email of a contact", "email", "marketing_blocked"),
  contact.drops("drops marketing_blocked", "marketing_blocked"),
  contact.converts("returns marketing_blocked as a number", "marketing_blocked", Number),
  contact.converts("returns the first membership of a contact only", "lists", first, "marketing_blocked"),
  contact.drops("drops the memberships of a contact", "lists", "marketing_blocked"),
  unsubscribed.drops("drops unsubscribed_at", "unsubscribed_at"),
  violating("UNSUB-9").returns("returns nothing for an unsubscribe", (result, { operation }) =>
    operation === "unsubscribeContact" ? {} : result,
  ),
];
