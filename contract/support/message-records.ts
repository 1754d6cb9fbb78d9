import { assert } from "../engine/assert.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, format } from "./assertions.ts";

export const latest = (lookups: readonly Exchange[]): Exchange => lookups.at(-1) as Exchange;

/** The status of a message record; empty if it has none. */
export const statusOf = ({ json }: Exchange): string => {
  const status = (json as { status?: unknown } | null | undefined)?.status;
  return typeof status === "string" ? status : "";
};

/** Asserts one of these statuses. */
export function assertStatus(exchange: Exchange, ...states: readonly string[]): void {
  assert(states.includes(statusOf(exchange)), exchange, {
    expected: `status ${states.join(" or ")}`,
    found: format(bodyOf(exchange).status),
  });
}

/** A time in a message record, in milliseconds since 1970; null if it is not set. */
function timeOf(exchange: Exchange, field: string): number | null {
  const value = bodyOf(exchange)[field] ?? null;
  if (value === null) return null;
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  assert(!Number.isNaN(time), exchange, { expected: `a time in ${field}`, found: format(value) });
  return time;
}

/** Asserts that a time is set. */
export function assertTime(exchange: Exchange, field: string): number {
  const time = timeOf(exchange, field);
  assert(time !== null, exchange, { expected: `a time in ${field}`, found: "null" });
  return time;
}

export function assertNull(exchange: Exchange, field: string, when: string): void {
  const value = bodyOf(exchange)[field];
  assert(value === null, exchange, { expected: `${field} null ${when}`, found: format(value) });
}

/** Asserts that one time is not before another, in whole seconds, which is all that some servers keep. */
export function assertOrder(exchange: Exchange, early: [string, number], late: [string, number]): void {
  assert(Math.floor(early[1] / 1000) <= Math.floor(late[1] / 1000), exchange, {
    expected: `${late[0]} not before ${early[0]}, ${new Date(early[1]).toISOString()}`,
    found: new Date(late[1]).toISOString(),
  });
}

export function eventsOf(exchange: Exchange): Record<string, unknown>[] {
  const { events } = bodyOf(exchange);
  assert(Array.isArray(events), exchange, { expected: "an array of events", found: format(events) });
  return (events as unknown[]).map((event) => ({ ...(event as object) }));
}

export const eventsOfType = (exchange: Exchange, type: string): Record<string, unknown>[] =>
  eventsOf(exchange).filter((event) => event.type === type);

/** Sorted texts, because the order of email addresses has no meaning. */
export const unordered = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(String).sort() : value;

/** Asserts the same moment, whatever its notation. */
export function assertTimestamp(exchange: Exchange, field: string, at: number): void {
  const time = timeOf(exchange, field);
  assert(time === at, exchange, {
    expected: `${field} ${new Date(at).toISOString()}`,
    found: format(bodyOf(exchange)[field]),
  });
}

/** The specified part of a message's state: descriptive texts may change with time. */
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

export const stateOf = (exchange: Exchange): Record<string, unknown> => {
  const record = bodyOf(exchange);
  return Object.fromEntries(stateFields.map((name) => [name, record[name]]));
};
