import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { NotVerified } from "../engine/assert.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { assertSuccess, idOf, requestOk } from "./assertions.ts";
import {
  isSent,
  lookUpMessage,
  message,
  pollMessage,
  sampleTags,
  schedule,
  secondsAhead,
  simulatedRecipient,
} from "./messages.ts";

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

/** Messages that become due a few seconds after they are submitted: unchanged, rescheduled, canceled. */
interface DueMessages {
  /** When they are due, in milliseconds since 1970. */
  at: number;
  plain: { id: string; lookups: Exchange[] };
  rescheduled: { id: string; lookup: Exchange };
  canceled: { id: string; lookup: Exchange };
}

/**
 * How far ahead they are scheduled, in seconds; the next value is used if the requests took longer, for example because
 * of the rate limit.
 */
const leadTimes = [3, 30, 150] as const;

/** Waits until the unchanged message is sent; the others are then looked up. */
export const dueMessages = (tester: Tester): Promise<DueMessages> =>
  tester.once("messages due in a few seconds", async (own) => {
    let handed = await submitAll(own, leadTimes[0]);
    for (const seconds of leadTimes.slice(1)) if (!isComplete(handed)) handed = await submitAll(own, seconds);
    if (!handed.isInTime)
      throw new NotVerified("The requests took so long that the messages were due before.");
    for (const response of handed.responses) assertSuccess(response);
    const [first, second, third] = handed.responses;
    return await waitUntilSent(
      own,
      handed.at,
      [first, second, third].map((sent) => idOf(sent as Exchange)),
    );
  });

/** The responses to three sends, the reschedule of the first message and the cancel of the second. */
interface Submission {
  at: number;
  responses: Exchange[];
  /** Whether all requests finished before the messages were due. */
  isInTime: boolean;
}

const isComplete = ({ responses, isInTime }: Submission): boolean => isInTime && responses.every(isSuccess);

async function submitAll(tester: Tester, seconds: number): Promise<Submission> {
  const scheduled_at = secondsAhead(tester, seconds);
  const at = Date.parse(scheduled_at);
  const responses: Exchange[] = [];
  for (const _ of [1, 2, 3])
    responses.push(await tester.request("sendEmail", { body: message(tester, { scheduled_at }) }));
  if (responses.every(isSuccess)) {
    const [first = "", second = ""] = responses.map(idOf);
    const body = { scheduled_at: secondsAhead(tester, 3600) };
    responses.push(await tester.request("rescheduleEmail", { path: { id: first }, body }));
    responses.push(await tester.request("cancelEmail", { path: { id: second } }));
  }
  return { at, responses, isInTime: tester.run.now() < at };
}

async function waitUntilSent(tester: Tester, at: number, ids: string[]): Promise<DueMessages> {
  const [putOff = "", canceled = "", plain = ""] = ids;
  const lookup = (id: string): Promise<Exchange> => lookUpMessage(tester, id);
  const early = await lookup(plain);
  await tester.run.time.wait(Math.max(0, at - tester.run.now()) + 200);
  // A server that sends in order sends this one last.
  const lookups = [
    early,
    ...(await pollMessage(tester, plain, isSent, { deadline: tester.settings.deadlines.dispatch })),
  ];
  return {
    at,
    plain: { id: plain, lookups },
    rescheduled: { id: putOff, lookup: await lookup(putOff) },
    canceled: { id: canceled, lookup: await lookup(canceled) },
  };
}
