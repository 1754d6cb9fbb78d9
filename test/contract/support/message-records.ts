import { assert } from "../engine/assert.ts";
import type { Exchange } from "../engine/exchange.ts";
import { bodyOf, format } from "./assertions.ts";

/** The record that was seen last. */
export const latest = (lookups: readonly Exchange[]): Exchange => lookups.at(-1) as Exchange;

/** The status in a message record; empty where there is none. */
export const statusOf = ({ json }: Exchange): string => {
  const status = (json as { status?: unknown } | null | undefined)?.status;
  return typeof status === "string" ? status : "";
};

/** A message record shows one of some states. */
export function assertStatus(exchange: Exchange, ...states: readonly string[]): void {
  assert(states.includes(statusOf(exchange)), exchange, {
    expected: `the status ${states.join(" or ")}`,
    found: format(bodyOf(exchange).status),
  });
}

/** The time in a field of a message record, in milliseconds since 1970; null where there is none. */
export function timeOf(exchange: Exchange, field: string): number | null {
  const value = bodyOf(exchange)[field] ?? null;
  if (value === null) return null;
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  assert(!Number.isNaN(time), exchange, { expected: `${field} as a time`, found: format(value) });
  return time;
}

/** A field of a message record has a time in it. */
export function assertTime(exchange: Exchange, field: string): number {
  const time = timeOf(exchange, field);
  assert(time !== null, exchange, { expected: `a time in ${field}`, found: "null" });
  return time;
}

/** A field of a message record is null. */
export function assertNull(exchange: Exchange, field: string, when: string): void {
  const value = bodyOf(exchange)[field];
  assert(value === null, exchange, { expected: `${field} null ${when}`, found: format(value) });
}

/** One time is not before another, in whole seconds: that is as finely as some servers keep them. */
export function assertOrder(exchange: Exchange, early: [string, number], late: [string, number]): void {
  assert(Math.floor(early[1] / 1000) <= Math.floor(late[1] / 1000), exchange, {
    expected: `${late[0]} not before ${early[0]}, ${new Date(early[1]).toISOString()}`,
    found: new Date(late[1]).toISOString(),
  });
}

/** The events in a message record. */
export function eventsOf(exchange: Exchange): Record<string, unknown>[] {
  const { events } = bodyOf(exchange);
  assert(Array.isArray(events), exchange, { expected: "an array of events", found: format(events) });
  return (events as unknown[]).map((event) => ({ ...(event as object) }));
}

/** The events in a message record that have a type. */
export const eventsOfType = (exchange: Exchange, type: string): Record<string, unknown>[] =>
  eventsOf(exchange).filter((event) => event.type === type);

/** Texts in alphabetical order: the order of addresses says nothing. */
export const unordered = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(String).sort() : value;

/** A field has the very moment in it, however it is written. */
export function assertTimestamp(exchange: Exchange, field: string, at: number): void {
  const time = timeOf(exchange, field);
  assert(time === at, exchange, {
    expected: `${field} ${new Date(at).toISOString()}`,
    found: format(bodyOf(exchange)[field]),
  });
}

/** What is promised of a message's state: words about it may change with time. */
const stateFields = [
  "id",
  "status",
  "scheduled_at",
  "sent_at",
  "delivered_at",
  "bounced_at",
  "complained_at",
  "subject",
] as const;

/** What a record says of the state of its message. */
export const stateOf = (exchange: Exchange): Record<string, unknown> => {
  const record = bodyOf(exchange);
  return Object.fromEntries(stateFields.map((name) => [name, record[name]]));
};
