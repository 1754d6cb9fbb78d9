import { operations } from "../generated/operations.ts";
import { missingNeeds } from "./engine/run-case.ts";
import { isInRun } from "./engine/settings.ts";
import type { Tester } from "./engine/tester.ts";
import { type Exchange, isSuccess, namedFields } from "./exchange.ts";
import { bodyOf, idOf } from "./support/assertions.ts";
import { lookUpMessage, message, secondsAhead } from "./support/messages.ts";
import { lightestOperation, needsOf } from "./support/requests.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** How long the record of an accepted message may have no time, in seconds. */
const recordDeadline = 5;

/**
 * Measures before a run how far the server's clock is off: an earlier run may have advanced it. An offset of at most a minute
 * is ignored, and so is a clock that cannot be read.
 * @param maySend whether to send a message to the simulated recipient: the times of its record are reliable
 */
export async function measureClockOffset(tester: Tester, maySend = true): Promise<void> {
  const { profile } = tester.settings;
  if (profile === "mock") return;
  const sends =
    maySend &&
    profile !== "newsletter" &&
    isInRun(tester.settings, "sendEmail") &&
    missingNeeds(tester.settings, needsOf("sendEmail")).length === 0;
  try {
    const operation = lightestOperation(tester);
    const rejected = operations[operation].requestBody === null ? {} : { body: {} };
    const offset = sends
      ? await offsetByMessage(tester)
      : offsetByDate(tester, await tester.request(operation, rejected));
    if (offset !== undefined && isOff(offset)) tester.run.offset = offset;
  } catch {
    // Checks report problems of these requests.
  }
}

const isOff = (offset: number): boolean => Math.abs(offset) > minute;

/** How far the server's clock is ahead by the header Date of a response, in milliseconds. */
function offsetByDate(tester: Tester, { headers }: Exchange): number | undefined {
  const date = Date.parse(headers.date ?? "");
  return Number.isNaN(date) ? undefined : date - tester.run.time.now();
}

/** How far the server's clock is ahead by a message, in milliseconds; what can be scheduled decides if the header Date differs. */
async function offsetByMessage(tester: Tester): Promise<number | undefined> {
  const sent = await tester.request("sendEmail", { body: message(tester) });
  const now = tester.run.time.now();
  const byDate = offsetByDate(tester, sent);
  if (!isSuccess(sent)) return byDate;
  const at = await tester.until(
    async () => lastTimeIn(bodyOf(await lookUpMessage(tester, idOf(sent)))),
    (found) => found !== undefined,
    recordDeadline,
    500,
  );
  const byMessage = at === undefined ? undefined : at - now;
  if (byMessage !== undefined && !isOff(byMessage)) return 0;
  if (byMessage !== undefined && byDate !== undefined && !isOff(byMessage - byDate)) return byMessage;
  for (const offset of [byMessage, byDate])
    if (offset !== undefined && isOff(offset) && (await schedulesBy(tester, offset))) return offset;
  return 0;
}

/** The last time in a message record, in milliseconds since 1970; undefined if it has none. */
function lastTimeIn({ sent_at, delivered_at, events }: Record<string, unknown>): number | undefined {
  const entries: { at?: unknown }[] = Array.isArray(events) ? events : [];
  const times = [sent_at, delivered_at, ...entries.map((entry) => entry?.at)]
    .map((time) => (typeof time === "string" ? Date.parse(time) : Number.NaN))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Whether the server schedules by a clock with this offset: it gets a time that is in the future of only one of the two clocks. If nothing
 * can be canceled, the message lacks a subject: it is rejected, and the error says whether the time is wrong, too.
 */
async function schedulesBy(tester: Tester, offset: number): Promise<boolean> {
  const distance = Math.min(Math.abs(offset) / 2, day);
  const seconds = (offset > 0 ? distance : offset + distance) / 1000;
  const mayAccept = isInRun(tester.settings, "cancelEmail");
  const time = { scheduled_at: secondsAhead(tester, Math.round(seconds)) };
  const body = message(tester, mayAccept ? time : { ...time, subject: undefined });
  const response = await tester.request("sendEmail", { body });
  if (isSuccess(response)) await tester.request("cancelEmail", { path: { id: idOf(response) } });
  if (offset < 0 && mayAccept) return isSuccess(response);
  const isPast = mayAccept || namedFields(response).includes("scheduled_at");
  return response.status === 422 && isPast === offset > 0;
}
