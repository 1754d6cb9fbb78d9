import type { Clock } from "./settings.ts";

/** What is rejected with when time is up, by these words in messages. An object, so that nothing else equals it. */
export const timeUp = ["timeout"];

/** The longest time that a timer of the platform can be set for, in milliseconds, but for some days; beyond it, it goes off at once. */
export const longest = 2e9;

/** Does some work within a time, in milliseconds. Without work, lets the time pass. */
export type Limited = <T>(milliseconds: number, work?: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Makes a function that does work within a time of its own and before the deadline of all. It rejects with `timeUp` when time
 * is over, or with the reason of the outer signal; the work is then told by its own signal, and not waited for.
 */
export const bounds =
  (
    { Date: time, setTimeout, clearTimeout }: Clock,
    deadline: number,
    outer: AbortSignal | undefined,
  ): Limited =>
  (milliseconds, work) =>
    new Promise((resolve, reject) => {
      const inner = new AbortController();
      const end =
        <Value>(act: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer);
          act(value);
          // Ends what is still under way, and takes the listener below away.
          inner.abort();
        };
      const fail = end(reject);
      const timer = setTimeout(
        work ? () => fail(timeUp) : (end(resolve) as () => void),
        Math.min(milliseconds, deadline - time.now()),
      );
      const abort = () => fail((outer as AbortSignal).reason);
      outer?.addEventListener("abort", abort, inner);
      if (outer?.aborted) abort();
      else work?.(inner.signal).then(end(resolve), fail);
    });
