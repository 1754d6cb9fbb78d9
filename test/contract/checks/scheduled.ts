import { assert } from "../engine/assert.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { everyTag } from "./journeys.ts";
import {
  bodyOf,
  format,
  idOf,
  message,
  requestOk,
  schedule,
  secondsAhead,
  simulatedRecipient,
} from "./kit.ts";
import { timeIn } from "./records.ts";

/** A message that waits for its time. */
export interface Scheduled {
  id: string;
  body: Record<string, unknown>;
  /** The time it was scheduled for, in milliseconds since 1970. */
  at: number;
  answer: Exchange;
  /** It, looked up right afterwards. */
  look: Exchange;
}

/** A message that is left to wait: nothing is done to it. Its time is sent with an offset of its own. */
export const scheduledMessage = (tester: Tester): Promise<Scheduled> =>
  tester.once("a message that waits for its time", async (own) => {
    const at = Date.parse(secondsAhead(own, 6 * 3600));
    const body = message(own, {
      scheduled_at: withOffset(at),
      tags: everyTag,
      to: [simulatedRecipient(own)],
    });
    const answer = await requestOk(own, "sendEmail", { body });
    const id = idOf(answer);
    return { id, body, at, answer, look: await requestOk(own, "getEmail", { path: { id } }) };
  });

/** A time as it is in India: half an hour off, so that it is no other time by mistake. */
function withOffset(at: number): string {
  const there = new Date(at + 5.5 * 3_600_000).toISOString();
  return there.replace(/(\.000)?Z$/, "+05:30");
}

/** A message whose time was changed. */
export interface Rescheduled {
  id: string;
  /** The new time, in milliseconds since 1970. */
  at: number;
  answer: Exchange;
  look: Exchange;
}

export const rescheduledMessage = (tester: Tester): Promise<Rescheduled> =>
  tester.once("a message whose time was changed", async (own) => {
    const id = await schedule(own);
    const at = Date.parse(secondsAhead(own, 9 * 3600));
    const answer = await requestOk(own, "rescheduleEmail", {
      path: { id },
      body: { scheduled_at: withOffset(at) },
    });
    return { id, at, answer, look: await requestOk(own, "getEmail", { path: { id } }) };
  });

/** A message that was canceled before its time came. */
export interface Canceled {
  id: string;
  answer: Exchange;
  look: Exchange;
}

export const canceledMessage = (tester: Tester): Promise<Canceled> =>
  tester.once("a canceled message", async (own) => {
    const id = await schedule(own);
    const answer = await requestOk(own, "cancelEmail", { path: { id } });
    return { id, answer, look: await requestOk(own, "getEmail", { path: { id } }) };
  });

/** A field has the very moment in it, however it is written. */
export function atHand(exchange: Exchange, field: string, at: number): void {
  const time = timeIn(exchange, field);
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
export const stateIn = (exchange: Exchange): Record<string, unknown> => {
  const record = bodyOf(exchange);
  return Object.fromEntries(stateFields.map((name) => [name, record[name]]));
};
