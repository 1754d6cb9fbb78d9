import { NotVerified } from "../engine/assert.ts";
import { type Exchange, isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { follow, hasGone } from "./journeys.ts";
import { assertSuccess, idOf, message, requestOk, secondsAhead } from "./kit.ts";

/** Messages whose time comes a few seconds after they are handed in: as they are, put off to another time, canceled. */
export interface DueMessages {
  /** When their time comes, in milliseconds since 1970. */
  at: number;
  plain: { id: string; looks: Exchange[] };
  putOff: { id: string; look: Exchange };
  canceled: { id: string; look: Exchange };
}

/**
 * How far ahead their time is, in seconds, one after another until everything is handed in before it: the request limit may hold
 * calls up, and the server's clock is not quite ours.
 */
const soon = [5, 30, 150] as const;

/** Waits until a message has gone out whose time has come; what was put off or canceled is then looked up. */
export const dueMessages = (tester: Tester): Promise<DueMessages> =>
  tester.once("messages that are due in some seconds", async (own) => {
    let handed = await handIn(own, soon[0]);
    for (const seconds of soon.slice(1)) if (!isFine(handed)) handed = await handIn(own, seconds);
    if (!handed.isInTime) throw new NotVerified("The calls took so long that the messages were due before.");
    for (const answer of handed.answers) assertSuccess(answer);
    const [first, second, third] = handed.answers;
    return await awaited(
      own,
      handed.at,
      [first, second, third].map((sent) => idOf(sent as Exchange)),
    );
  });

/** What was answered to three sends, to the change of the first one's time, and to the cancellation of the second one. */
interface HandedIn {
  at: number;
  answers: Exchange[];
  /** Whether all that was over before the messages were due. */
  isInTime: boolean;
}

const isFine = ({ answers, isInTime }: HandedIn): boolean => isInTime && answers.every(isSuccess);

async function handIn(tester: Tester, seconds: number): Promise<HandedIn> {
  const scheduled_at = secondsAhead(tester, seconds);
  const at = Date.parse(scheduled_at);
  const answers: Exchange[] = [];
  for (const _ of [1, 2, 3])
    answers.push(await tester.request("sendEmail", { body: message(tester, { scheduled_at }) }));
  if (answers.every(isSuccess)) {
    const [first = "", second = ""] = answers.map(idOf);
    const body = { scheduled_at: secondsAhead(tester, 3600) };
    answers.push(await tester.request("rescheduleEmail", { path: { id: first }, body }));
    answers.push(await tester.request("cancelEmail", { path: { id: second } }));
  }
  return { at, answers, isInTime: tester.run.now() < at };
}

async function awaited(tester: Tester, at: number, ids: string[]): Promise<DueMessages> {
  const [putOff = "", canceled = "", plain = ""] = ids;
  const deadline = (at - tester.run.now()) / 1000 + tester.settings.deadlines.moments;
  // The message that was handed in last goes out last, if anything goes by that.
  const looks = await follow(tester, plain, hasGone, { deadline });
  const look = (part: string): Promise<Exchange> => requestOk(tester, "getEmail", { path: { id: part } });
  return {
    at,
    plain: { id: plain, looks },
    putOff: { id: putOff, look: await look(putOff) },
    canceled: { id: canceled, look: await look(canceled) },
  };
}
