import { NotVerified } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { assertSuccess, idOf } from "./assertions.ts";
import { lookUpMessage, message, secondsAhead } from "./messages.ts";
import { isSent, pollMessage } from "./tracked-messages.ts";

/** Messages that become due a few seconds after they are submitted: unchanged, rescheduled, canceled. */
export interface DueMessages {
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
