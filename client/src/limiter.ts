import { rateLimitRemainingHeader, requestsPerMinute } from "../../generated/client/table.ts";
import type { Hook } from "./events.ts";
import { secondsToWait } from "./reading.ts";
import type { Clock } from "./settings.ts";
import { bounds, longest } from "./time.ts";

const minute = 60_000;

export interface LimiterOptions {
  /** How many requests this program may make in a minute at first; the number of the contract unless told otherwise. What answers say counts from then on. */
  perMinute?: number | undefined;
  clock?: Clock | undefined;
}

/**
 * Keeps to the requests that an account has in a minute (LIMIT-1, LIMIT-2): attempts wait, in order, until there is room. Fed by the
 * rate headers of answers, which count what other programs of the account use too. Give the same limiter to all clients of
 * an account. The wait counts for the `timeout` of a call: give more of it to calls of which more than two minutes' worth
 * are made at once.
 */
export function createLimiter(options: LimiterOptions = {}): Hook {
  const { perMinute = requestsPerMinute, clock = globalThis as Clock } = options;
  const { now } = clock.Date;
  let remaining = perMinute;
  // When the attempts were made of which nothing is known yet. One that is never heard of again is forgotten after a minute.
  let underway: number[] = [];
  let refusedUntil = 0;
  let made: number[] = [];
  let news = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  // What is later than now was so by a clock that has been set back.
  const isRecent = (time: number) => time > now() - minute && time <= now();

  const turn = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const recent = made.filter(isRecent);
      // A minute after an attempt there is room for one at least, however the service counts; its answer tells of more.
      if (recent.length < made.length || made.length === 0) remaining = Math.max(remaining, 1);
      made = recent;
      const until = Math.max(refusedUntil, remaining > 0 ? 0 : Math.min(...made) + minute);
      if (until <= now()) {
        made.push(now());
        remaining--;
        underway.push(now());
        return;
      }
      news = new AbortController();
      const either = AbortSignal.any([signal, news.signal]);
      await bounds(clock, now() + longest, either)(Math.min(until - now(), longest)).catch(() => {});
    }
  };

  return (event) => {
    if (event.type === "attempt") {
      const mine = last.then(() => turn(event.signal));
      last = mine.catch(() => {});
      return mine;
    }
    if (event.type !== "result") return;
    const index = made.indexOf(underway.shift() ?? Number.NaN);
    // The service may have counted it as late as this.
    if (index >= 0) made[index] = now();
    underway = underway.filter(isRecent);
    const { headers, status } = event.answer ?? {};
    const left = headers?.get(rateLimitRemainingHeader);
    if (left && +left >= 0) remaining = +left - underway.length;
    // Other refusals with this status are about the account's mail, and not about requests.
    if (status === 429 && event.error.type === "rate_limited") {
      const seconds = secondsToWait(headers, now()) ?? 0;
      refusedUntil = Math.max(refusedUntil, now() + seconds * 1000);
      // The service has said when there is room again: one attempt finds out how much.
      remaining = seconds > 0 ? 1 : 0;
    }
    // Whoever waits looks again.
    news.abort();
  };
}
