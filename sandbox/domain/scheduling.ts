import { limits } from "../../generated/limits.ts";
import { day, readTime, timeSentence, writeTime } from "./times.ts";

/** A time to send at, or what is wrong with it. */
export type SendTime = { at: number } | { fault: string };

/** Parses a time to send at, which must be in the future and within the limit. */
export function readSendTime(text: string, now: number): SendTime {
  const at = readTime(text);
  if (at === undefined) return { fault: timeSentence };
  if (at < now) return { fault: `Must not be in the past; the time is ${writeTime(now)}.` };
  if (at > now + limits.scheduleAhead * day) {
    return {
      fault: `Must not be more than ${limits.scheduleAhead} days ahead; the time is ${writeTime(now)}.`,
    };
  }
  return { at };
}
