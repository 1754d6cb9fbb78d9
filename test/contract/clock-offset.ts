import { missingNeeds } from "./engine/run-case.ts";
import type { Tester } from "./engine/tester.ts";
import { type Exchange, isSuccess } from "./exchange.ts";
import { idOf } from "./support/assertions.ts";
import { getMessage, message, secondsAhead } from "./support/messages.ts";
import { needsOf } from "./support/requests.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** How long a message that was just taken may take to have a time, in seconds. */
const patience = 5;

/**
 * Learns before a run what time it is on the server, whose clock an earlier run may have moved: everything about times goes by that. A
 * clock that is off by no more than a minute counts as right, and so does one that cannot be read.
 *
 * @param mayMail whether one message may go to the simulated recipient: its record tells the time for sure
 */
export async function measureClockOffset(tester: Tester, mayMail = true): Promise<void> {
  const { profile } = tester.settings;
  if (profile === "mock") return;
  const mails =
    mayMail && profile !== "newsletter" && missingNeeds(tester.run, needsOf("sendEmail")).length === 0;
  try {
    const offset = mails ? await offsetOfMail(tester) : offsetOfDate(tester, await tester.request("getMe"));
    if (offset !== undefined && isOff(offset)) tester.run.setOffset(offset);
  } catch {
    // Whatever is wrong with these calls, the checks tell it.
  }
}

const isOff = (offset: number): boolean => Math.abs(offset) > minute;

/** How far the server's clock is ahead by the header Date of an answer that has just come, in milliseconds. */
function offsetOfDate(tester: Tester, { headers }: Exchange): number | undefined {
  const date = Date.parse(headers.date ?? "");
  return Number.isNaN(date) ? undefined : date - tester.run.time.now();
}

/** How far the server's clock is ahead by a message; where other signs say otherwise, by what can be scheduled. */
async function offsetOfMail(tester: Tester): Promise<number | undefined> {
  const sent = await tester.request("sendEmail", { body: message(tester) });
  const now = tester.run.time.now();
  const ofDate = offsetOfDate(tester, sent);
  if (!isSuccess(sent)) return ofDate;
  const at = await tester.until(
    async () => lastTimeIn(await getMessage(tester, idOf(sent))),
    (found) => found !== undefined,
    patience,
    500,
  );
  const ofMessage = at === undefined ? undefined : at - now;
  if (ofMessage !== undefined && !isOff(ofMessage)) return 0;
  if (ofMessage !== undefined && ofDate !== undefined && !isOff(ofMessage - ofDate)) return ofMessage;
  for (const offset of [ofMessage, ofDate])
    if (offset !== undefined && isOff(offset) && (await isBorneOut(tester, offset))) return offset;
  return 0;
}

/** The last time in the record of a message; undefined where it has none. */
function lastTimeIn({ sent_at, delivered_at, events }: Record<string, unknown>): number | undefined {
  const entries: { at?: unknown }[] = Array.isArray(events) ? events : [];
  const times = [sent_at, delivered_at, ...entries.map((entry) => entry?.at)]
    .map((time) => (typeof time === "string" ? Date.parse(time) : Number.NaN))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Whether the server schedules by a clock that is so far ahead: records may tell wrong times. It is asked for a time that only one
 * of the two clocks has still before it.
 */
async function isBorneOut(tester: Tester, offset: number): Promise<boolean> {
  const way = Math.min(Math.abs(offset) / 2, day);
  const seconds = (offset > 0 ? way : offset + way) / 1000;
  const body = message(tester, { scheduled_at: secondsAhead(tester, Math.round(seconds)) });
  const answer = await tester.request("sendEmail", { body });
  if (isSuccess(answer)) await tester.request("cancelEmail", { path: { id: idOf(answer) } });
  return offset > 0 ? answer.status === 422 : isSuccess(answer);
}
