import type { Clock } from "./options.ts";

/** The rejection of a timer. An object, so that nothing else equals it; messages show its text. */
export const timedOut = ["timeout"];

/** The longest delay of a platform timer, in milliseconds, rounded down; a longer one fires immediately. */
export const maxDelay = 2e9;

/** Runs some work with a time limit in milliseconds. Without work, it waits that long. */
export type Timer = <T>(milliseconds: number, work?: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Creates a timer that also has a deadline. It rejects with `timedOut` when the time is up, or with the reason of the outer
 * signal; the signal of the work is then aborted, and the work is not awaited.
 */
export const createTimer =
  (
    { Date: time, setTimeout, clearTimeout }: Clock,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Timer =>
  (milliseconds, work) =>
    new Promise((resolve, reject) => {
      const inner = new AbortController();
      const settle =
        <Value>(act: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timeout);
          act(value);
          // Aborts unfinished work, and removes the listener below.
          inner.abort();
        };
      const fail = settle(reject);
      const timeout = setTimeout(
        work ? () => fail(timedOut) : (settle(resolve) as () => void),
        Math.min(milliseconds, deadline - time.now()),
      );
      const abort = () => fail((signal as AbortSignal).reason);
      signal?.addEventListener("abort", abort, inner);
      if (signal?.aborted) abort();
      else work?.(inner.signal).then(settle(resolve), fail);
    });
