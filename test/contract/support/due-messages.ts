import { NotVerified } from "../engine/assert.ts";
import { type Exchange, isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { assertSuccess, idOf } from "./assertions.ts";
import { lookUpMessage, message, secondsAhead } from "./messages.ts";
import { isSent, pollMessage } from "./tracked-messages.ts";

/** Messages whose time comes a few seconds after they are handed in: as they are, put off to another time, canceled. */
export interface DueMessages {
  /** When their time comes, in milliseconds since 1970. */
  at: number;
  plain: { id: string; lookups: Exchange[] };
  rescheduled: { id: string; lookup: Exchange };
  canceled: { id: string; lookup: Exchange };
}

/**
 * How far ahead their time is, in seconds, one after another until everything is handed in before it: the request limit may hold
 * calls up, and the server's clock is not quite ours.
 */
const leadTimes = [5, 30, 150] as const;

/** Waits until a message has gone out whose time has come; what was put off or canceled is then looked up. */
export const dueMessages = (tester: Tester): Promise<DueMessages> =>
  tester.once("messages that are due in some seconds", async (own) => {
    let handed = await submitAll(own, leadTimes[0]);
    for (const seconds of leadTimes.slice(1)) if (!isComplete(handed)) handed = await submitAll(own, seconds);
    if (!handed.isInTime) throw new NotVerified("The calls took so long that the messages were due before.");
    for (const response of handed.responses) assertSuccess(response);
    const [first, second, third] = handed.responses;
    return await waitUntilSent(
      own,
      handed.at,
      [first, second, third].map((sent) => idOf(sent as Exchange)),
    );
  });

/** What was answered to three sends, to the change of the first one's time, and to the cancellation of the second one. */
interface Submission {
  at: number;
  responses: Exchange[];
  /** Whether all that was over before the messages were due. */
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
  const deadline = (at - tester.run.now()) / 1000 + tester.settings.deadlines.moments;
  // The message that was handed in last goes out last, if anything goes by that.
  const lookups = await pollMessage(tester, plain, isSent, { deadline });
  const lookup = (id: string): Promise<Exchange> => lookUpMessage(tester, id);
  return {
    at,
    plain: { id: plain, lookups },
    rescheduled: { id: putOff, lookup: await lookup(putOff) },
    canceled: { id: canceled, lookup: await lookup(canceled) },
  };
}
