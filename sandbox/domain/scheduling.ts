import { limits } from "../../generated/limits.ts";
import { day, readTime, writeTime } from "./times.ts";

/** A time to send at, or what is wrong with it, in a sentence for people. */
export type SendTime = { at: number } | { fault: string };

/** Reads a time to send at: it is not over, and no further ahead than the service takes. */
export function readSendTime(text: string, now: number): SendTime {
  const at = readTime(text);
  if (at === undefined) return { fault: "Must be a time in ISO 8601 with its offset from UTC." };
  if (at < now) return { fault: `Must not lie in the past; it is ${writeTime(now)} now.` };
  if (at > now + limits.scheduleAhead * day) {
    return { fault: `Must not lie more than ${limits.scheduleAhead} days ahead.` };
  }
  return { at };
}
