import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { idOf, requestOk } from "./assertions.ts";
import { lookUpMessage, message, schedule, secondsAhead, simulatedRecipient } from "./messages.ts";
import { sampleTags } from "./tracked-messages.ts";

/** A scheduled message that stays unchanged; its time (`at`, in milliseconds since 1970) is sent with a UTC offset. */
export const scheduledMessage = (tester: Tester) =>
  tester.once("a scheduled message that stays unchanged", async (own) => {
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

/** A time, in milliseconds since 1970, with an offset of half an hour, so that a misread offset is not another valid hour. */
export function withOffset(at: number, sign: "+" | "-" = "+"): string {
  const there = new Date(at + Number(`${sign}5.5`) * 3_600_000).toISOString();
  return there.replace(/(\.000)?Z$/, `${sign}05:30`);
}

/** A rescheduled message; `at` is the new time, in milliseconds since 1970. */
export const rescheduledMessage = (tester: Tester) =>
  tester.once("a rescheduled message", async (own) => {
    const id = await schedule(own);
    const at = Date.parse(secondsAhead(own, 9 * 3600));
    const response = await requestOk(own, "rescheduleEmail", {
      path: { id },
      body: { scheduled_at: withOffset(at) },
    });
    return { id, at, response, lookup: await lookUpMessage(own, id) };
  });

export const canceledMessage = (tester: Tester) =>
  tester.once("a canceled message", async (own) => {
    const id = await schedule(own);
    const response = await requestOk(own, "cancelEmail", { path: { id } });
    return { id, response, lookup: await lookUpMessage(own, id) };
  });

export const hour = 3600;

export const days = 24 * hour;

/** Options of checks that move the clock. */
export const clockOptions = { needs: ["hooks.advanceClock"], tags: ["clock"] } as const;

/** Changes of a scheduled message by operation. */
export const changeMessage = {
  rescheduleEmail: (tester: Tester, id: string, key: Role = "full") =>
    tester.request("rescheduleEmail", {
      key,
      path: { id },
      body: { scheduled_at: secondsAhead(tester, 2 * hour) },
    }),
  cancelEmail: (tester: Tester, id: string, key: Role = "full") =>
    tester.request("cancelEmail", { key, path: { id } }),
} satisfies Partial<Record<OperationId, unknown>>;

export type ChangeOperation = keyof typeof changeMessage;

/** Changes of a scheduled message by another account, and the message afterwards. */
export const changesByOtherAccount = (tester: Tester) =>
  tester.once("changes by another account", async (own) => {
    const { id } = await scheduledMessage(own);
    const options = { path: { id }, key: "otherAccount" } as const;
    const body = { scheduled_at: secondsAhead(own, 2 * hour) };
    const rescheduleEmail = await own.request("rescheduleEmail", { ...options, body });
    const cancelEmail = await own.request("cancelEmail", options);
    return { id, rescheduleEmail, cancelEmail, lookup: await lookUpMessage(own, id) };
  });

/** How far ahead a time can be, in seconds: within the limit by an hour, and beyond it by an hour. */
export const withinScheduleLimit = limits.scheduleAhead * days - hour;
export const beyondScheduleLimit = limits.scheduleAhead * days + hour;

/** A scheduled message before and after a reschedule too far ahead. */
export const tooFarAhead = (tester: Tester) =>
  tester.once("a reschedule too far ahead", async (own) => {
    const { id, lookup: before } = await scheduledMessage(own);
    const response = await own.request("rescheduleEmail", {
      path: { id },
      body: { scheduled_at: secondsAhead(own, beyondScheduleLimit) },
    });
    return { before, response, after: await lookUpMessage(own, id) };
  });

export const scheduled = (
  tester: Tester,
  changes: Record<string, unknown>,
  key: Role = "full",
): Promise<Exchange> =>
  tester.request("sendEmail", {
    key,
    body: message(tester, { scheduled_at: secondsAhead(tester, hour), ...changes }),
  });
