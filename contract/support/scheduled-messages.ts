import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { NotVerified, unknownExchange } from "../engine/assert.ts";
import { caseOf, type Need, scenario } from "../engine/check.ts";
import { isInRun, type Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, type RequestOptions } from "../exchange.ts";
import { assertSuccess, idOf, type Json, requestOk } from "./assertions.ts";
import { completeBatch, completeMessages, completeSends } from "./complete-messages.ts";
import { mailNeeds } from "./mail.ts";
import {
  cancel,
  emailNeeds,
  hour,
  lookUpMessage,
  message,
  pollUntilSent,
  reschedule,
  sampleTags,
  schedule,
  secondsAhead,
} from "./messages.ts";

export const days = 24 * hour;

/** A scheduled message that stays unchanged; its time (`at`, in milliseconds since 1970) is sent with a UTC offset. */
export const scheduledMessage = scenario("an unchanged scheduled message", emailNeeds, async (tester) => {
  const at = Date.parse(secondsAhead(tester, 6 * hour));
  const body = message(tester, { scheduled_at: withOffset(at), tags: sampleTags });
  const response = await requestOk(tester, "sendEmail", { body });
  const id = idOf(response);
  return { id, body, at, response, lookup: await lookUpMessage(tester, id) };
});

/** A time, in milliseconds since 1970, with an offset of half an hour, so that a misread offset is not another valid hour. */
const withOffset = (at: number): string =>
  new Date(at + 5.5 * hour * 1000).toISOString().replace(/(\.000)?Z$/, "+05:30");

/** A rescheduled message; `at` is the new time, in milliseconds since 1970. */
export const rescheduledMessage = scenario("a rescheduled message", emailNeeds, async (tester) => {
  const id = await schedule(tester);
  const at = Date.parse(secondsAhead(tester, 9 * hour));
  const response = await reschedule(tester, id, withOffset(at));
  return { id, at, response, lookup: await lookUpMessage(tester, id) };
});

export const canceledMessage = scenario("a canceled message", emailNeeds, async (tester) => {
  const id = await schedule(tester);
  return { id, response: await cancel(tester, id), lookup: await lookUpMessage(tester, id) };
});

export const clockOptions = { needs: ["hooks.advanceClock"], tags: ["clock"] } as const;

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

/** How far ahead a time can be, in seconds: within the limit by an hour, and beyond it by an hour. */
export const withinScheduleLimit = limits.scheduleAhead * days - hour;
export const beyondScheduleLimit = limits.scheduleAhead * days + hour;

/** A scheduled message before and after a reschedule too far ahead. */
export const tooFarAhead = scenario("a reschedule too far ahead", emailNeeds, async (tester) => {
  const { id, lookup: before } = await scheduledMessage(tester);
  const body = { scheduled_at: secondsAhead(tester, beyondScheduleLimit) };
  const response = await tester.request("rescheduleEmail", { path: { id }, body });
  return { before, response, after: await lookUpMessage(tester, id) };
});

/**
 * How far ahead they are scheduled, in seconds; the next value is used if the requests took longer, for example because
 * of the rate limit.
 */
const leadTimes = [3, 30, 150] as const;

/**
 * Messages that become due a few seconds after they are submitted: unchanged, rescheduled, canceled. Waits until the
 * unchanged one is sent; the others are then looked up.
 */
export const dueMessages = scenario("messages due in a few seconds", emailNeeds, async (tester) => {
  const { profile, fixtures } = tester.settings;
  const isFull = profile !== "core" && fixtures.recipientDomain !== undefined;
  const complete = isFull ? completeMessages(tester) : [];
  let handed = await submitAll(tester, leadTimes[0], complete);
  for (const seconds of leadTimes.slice(1))
    if (!handed.isInTime || !handed.responses.every(isSuccess))
      handed = await submitAll(tester, seconds, complete);
  const { at, responses, isInTime } = handed;
  if (!isInTime) throw new NotVerified("The requests took so long that the messages were due before.");
  for (const response of responses) assertSuccess(response);
  const ids = responses.filter(({ request }) => request.operation === "sendEmail").map(idOf);
  const [putOff = "", canceled = ""] = ids;
  const plain = ids.at(-1) ?? "";
  const early = await lookUpMessage(tester, plain);
  const left = Math.max(0, at - tester.run.now()) + 200;
  tester.run.onPoll("getEmail", left);
  await tester.run.time.wait(left);
  // A server that sends in order sends this one last.
  const later = await pollUntilSent(tester, plain);
  const lookUpAfter = async (operation: ChangeOperation, id: string): Promise<Exchange> =>
    isInRun(tester.settings, operation) ? lookUpMessage(tester, id) : unknownExchange(operation);
  return {
    /** When they are due, in milliseconds since 1970. */
    at,
    complete,
    plain: { id: plain, lookups: [early, ...later] },
    rescheduled: await lookUpAfter("rescheduleEmail", putOff),
    canceled: await lookUpAfter("cancelEmail", canceled),
  };
});

/**
 * The responses to sends, two of them of plain messages and those after them of these or another plain one, the reschedule of the first message and the
 * cancel of the second, each if it is in the run, and whether all requests finished before the messages were due.
 */
async function submitAll(tester: Tester, seconds: number, given: readonly Json[]) {
  const scheduled_at = secondsAhead(tester, seconds);
  const at = Date.parse(scheduled_at);
  const responses: Exchange[] = [];
  for (const own of [{}, {}, ...(given.length > 0 ? given : [{}])])
    responses.push(await tester.request("sendEmail", { body: message(tester, { scheduled_at, ...own }) }));
  if (responses.every(isSuccess)) {
    const [first = "", second = ""] = responses.map(idOf);
    const change = async (operation: ChangeOperation, options: RequestOptions) =>
      isInRun(tester.settings, operation) && responses.push(await tester.request(operation, options));
    const body = { scheduled_at: secondsAhead(tester, hour) };
    await change("rescheduleEmail", { path: { id: first }, body });
    await change("cancelEmail", { path: { id: second } });
  }
  return { at, responses, isInTime: tester.run.now() < at };
}

/** Complete messages with their own content, from the template or both, wherever they can be sent. */
export function arrivals(run: (tester: Tester, sent: Json) => Promise<void>, ofTemplate?: boolean) {
  const needs: Need[] = ofTemplate === true ? [...mailNeeds, "template"] : [...mailNeeds];
  const each = async (all: readonly Json[], tester: Tester): Promise<void> => {
    for (const one of all)
      if (ofTemplate === undefined || "template_id" in one === ofTemplate) await run(tester, one);
  };
  return [
    caseOf(completeSends, "", { core: true, needs, operation: "sendEmail" }, each),
    caseOf(completeBatch, "in a batch", { core: false, needs, operation: "sendBatch" }, each),
    caseOf(dueMessages, "scheduled", { core: false, needs }, ({ complete }, own) => each(complete, own)),
  ];
}
