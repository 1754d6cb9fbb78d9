import { rateLimitRemainingHeader, requestsPerMinute } from "../../generated/client/table.ts";
import type { Hook } from "./events.ts";
import { secondsToWait } from "./reading.ts";
import type { Clock } from "./settings.ts";
import { bounds } from "./time.ts";

const minute = 60_000;

export interface LimiterOptions {
  /** How many requests this program may make in a minute at first; the number of the contract unless told otherwise. What answers say counts from then on. */
  perMinute?: number | undefined;
  clock?: Clock | undefined;
}

/**
 * Keeps to the requests that an account has in a minute (LIMIT-1, LIMIT-2): attempts wait, in order, until there is room. Fed by the
 * rate headers of answers, which count what other programs of the account use too. Give the same limiter to all clients of
 * an account.
 */
export function createLimiter(options: LimiterOptions = {}): Hook {
  const { perMinute = requestsPerMinute, clock = globalThis as Clock } = options;
  const { now } = clock.Date;
  let remaining = perMinute;
  let underway = 0;
  let refusedUntil = 0;
  let made: number[] = [];
  let news = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  const turn = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      made = made.filter((time) => time > now() - minute);
      const [oldest = now()] = made;
      const room = remaining > 0 || made.length === 0;
      const until = Math.max(refusedUntil, room ? 0 : oldest + minute);
      if (until <= now()) {
        made.push(now());
        remaining--;
        underway++;
        return;
      }
      news = new AbortController();
      const either = AbortSignal.any([signal, news.signal]);
      await bounds(clock, until, either)(until - now()).catch(() => {});
    }
  };

  return (event) => {
    if (event.type === "attempt") {
      const mine = last.then(() => turn(event.signal));
      last = mine.catch(() => {});
      return mine;
    }
    if (event.type !== "result") return;
    underway--;
    const { headers, status } = event.answer ?? {};
    const left = headers?.get(rateLimitRemainingHeader);
    if (left) remaining = +left - underway;
    if (status === 429)
      refusedUntil = Math.max(refusedUntil, now() + (secondsToWait(headers, now()) ?? 0) * 1000);
    // Whoever waits looks again.
    news.abort();
  };
}
