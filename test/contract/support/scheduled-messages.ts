import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { type TestCase, testCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { idOf, requestOk } from "./assertions.ts";
import {
  emailNeeds,
  lookUpMessage,
  message,
  schedule,
  secondsAhead,
  simulatedRecipient,
} from "./messages.ts";
import { sampleTags } from "./tracked-messages.ts";

/** A message that waits for its time. */
export interface ScheduledMessage {
  id: string;
  body: Record<string, unknown>;
  /** The time it was scheduled for, in milliseconds since 1970. */
  at: number;
  response: Exchange;
  /** It, looked up right afterwards. */
  lookup: Exchange;
}

/** A message that is left to wait: nothing is done to it. Its time is sent with an offset of its own. */
export const scheduledMessage = (tester: Tester): Promise<ScheduledMessage> =>
  tester.once("a message that waits for its time", async (own) => {
    const at = Date.parse(secondsAhead(own, 6 * 3600));
    const body = message(own, {
      scheduled_at: withOffset(at),
      tags: sampleTags,
      to: [simulatedRecipient(own)],
    });
    const response = await requestOk(own, "sendEmail", { body });
    const id = idOf(response);
    return { id, body, at, response, lookup: await lookUpMessage(own, id) };
  });

/** A time as it is in India: half an hour off, so that it is no other time by mistake. */
function withOffset(at: number): string {
  const there = new Date(at + 5.5 * 3_600_000).toISOString();
  return there.replace(/(\.000)?Z$/, "+05:30");
}

/** A message whose time was changed. */
export interface RescheduledMessage {
  id: string;
  /** The new time, in milliseconds since 1970. */
  at: number;
  response: Exchange;
  lookup: Exchange;
}

export const rescheduledMessage = (tester: Tester): Promise<RescheduledMessage> =>
  tester.once("a message whose time was changed", async (own) => {
    const id = await schedule(own);
    const at = Date.parse(secondsAhead(own, 9 * 3600));
    const response = await requestOk(own, "rescheduleEmail", {
      path: { id },
      body: { scheduled_at: withOffset(at) },
    });
    return { id, at, response, lookup: await lookUpMessage(own, id) };
  });

/** A message that was canceled before its time came. */
export interface CanceledMessage {
  id: string;
  response: Exchange;
  lookup: Exchange;
}

export const canceledMessage = (tester: Tester): Promise<CanceledMessage> =>
  tester.once("a canceled message", async (own) => {
    const id = await schedule(own);
    const response = await requestOk(own, "cancelEmail", { path: { id } });
    return { id, response, lookup: await lookUpMessage(own, id) };
  });

/** In seconds. */
export const hour = 3600;

const days = 24 * hour;

/** For laws that are shown by moving the clock. */
export const clockOptions = { needs: ["hooks.advanceClock", ...emailNeeds], tags: ["clock"] } as const;

/** The one trial of a law that others show in fewer requests. */
export const fullOnly = (run: TestCase["run"]): TestCase[] => [testCase("", { core: false }, run)];

/** What is options of a message that it is too late for, or that there is not, by operation. */
export const changeMessage = {
  rescheduleEmail: (tester: Tester, id: string) =>
    tester.request("rescheduleEmail", {
      path: { id },
      body: { scheduled_at: secondsAhead(tester, 2 * hour) },
    }),
  cancelEmail: (tester: Tester, id: string) => tester.request("cancelEmail", { path: { id } }),
} satisfies Partial<Record<OperationId, unknown>>;

/** A change of a scheduled message, by its operation. */
export type ChangeOperation = keyof typeof changeMessage;

/** What another account's key does to a scheduled message, and the message afterwards. */
export const changesByOtherAccount = (
  tester: Tester,
): Promise<Record<ChangeOperation, Exchange> & { id: string; lookup: Exchange }> =>
  tester.once("changes by another account", async (own) => {
    const { id } = await scheduledMessage(own);
    const options = { path: { id }, key: "otherAccount" } as const;
    const body = { scheduled_at: secondsAhead(own, 2 * hour) };
    const rescheduleEmail = await own.request("rescheduleEmail", { ...options, body });
    const cancelEmail = await own.request("cancelEmail", options);
    return { id, rescheduleEmail, cancelEmail, lookup: await lookUpMessage(own, id) };
  });

/** How far ahead a time may be, on both sides of the limit. In seconds: within, an hour less; beyond, a day and an hour more. */
export const withinScheduleLimit = limits.scheduleAhead * days - hour;

export const beyondScheduleLimit = (limits.scheduleAhead + 1) * days + hour;

/** A scheduled message that is to get a time too far ahead, before and after. */
export const tooFarAhead = (
  tester: Tester,
): Promise<{ before: Exchange; response: Exchange; after: Exchange }> =>
  tester.once("a time that is refused", async (own) => {
    const { id, lookup: before } = await scheduledMessage(own);
    const response = await own.request("rescheduleEmail", {
      path: { id },
      body: { scheduled_at: secondsAhead(own, beyondScheduleLimit) },
    });
    return { before, response, after: await lookUpMessage(own, id) };
  });

/** A send for later. */
export const scheduled = (
  tester: Tester,
  changes: Record<string, unknown>,
  key: Role = "full",
): Promise<Exchange> =>
  tester.request("sendEmail", {
    key,
    body: message(tester, { scheduled_at: secondsAhead(tester, hour), ...changes }),
  });
