import type { RateWindow } from "./store.ts";

/** The requests of the last minute count (Limits), in milliseconds. */
export const rateWindow = 60_000;

/** The times of an account's requests within the last minute, in order, from index `first` on. */
interface Times {
  times: number[];
  first: number;
}

/** The rate windows of the accounts, in the memory of one process. */
export class RateWindows {
  readonly #accounts = new Map<string, Times>();

  /** Counts a request, unless `limit` requests are in the window. @returns the window before */
  count(accountId: string, now: number, limit: number): RateWindow {
    let window = this.#accounts.get(accountId);
    if (window === undefined) {
      window = { times: [], first: 0 };
      this.#accounts.set(accountId, window);
    }
    dropOld(window, now - rateWindow);
    const { times, first } = window;
    const used = times.length - first;
    const oldest = times[first] ?? null;
    if (used < limit) times.push(now);
    return { used, oldest };
  }
}

function dropOld(window: Times, until: number): void {
  const { times } = window;
  let first = window.first;
  while (first < times.length && (times[first] ?? 0) <= until) first += 1;
  // Removing the start copies the rest, so it waits until half of the list is old.
  if (first > 256 && first * 2 > times.length) {
    times.splice(0, first);
    first = 0;
  }
  window.first = first;
}
