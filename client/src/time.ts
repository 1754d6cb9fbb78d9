import type { Clock } from "./settings.ts";

/** What `within` rejects with when time is up. */
export const timeUp = {};

/** The longest time that a timer of the platform can be set for, in milliseconds; beyond it, it goes off at once. */
export const longest = 2 ** 31 - 1;

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
      const abort = () => fail(outer?.reason);
      outer?.addEventListener("abort", abort, inner);
      if (outer?.aborted) abort();
      else work?.(inner.signal).then(end(resolve), fail);
    });
