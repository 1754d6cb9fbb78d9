import type { RateWindow } from "./store.ts";

/** The requests of the last minute count (Limits), in milliseconds. */
export const rateWindow = 60_000;

/** An account's requests within the last minute: their times, in order, from index `first` on, and how many came at each. */
interface Times {
  times: number[];
  counts: number[];
  first: number;
  used: number;
}

/** The rate windows of the accounts, in the memory of one process. */
export class RateWindows {
  readonly #accounts = new Map<string, Times>();

  /** Counts a request, unless `limit` requests are in the window. @returns the window before */
  count(accountId: string, now: number, limit: number): RateWindow {
    let window = this.#accounts.get(accountId);
    if (window === undefined) {
      window = { times: [], counts: [], first: 0, used: 0 };
      this.#accounts.set(accountId, window);
    }
    dropOld(window, now - rateWindow);
    const { times, first, used } = window;
    const oldest = times[first] ?? null;
    if (used < limit) add(window, now);
    return { used, oldest };
  }
}

function add(window: Times, now: number): void {
  const { times, counts } = window;
  const last = times.length - 1;
  if (last >= window.first && times[last] === now) counts[last] = (counts[last] ?? 0) + 1;
  else {
    times.push(now);
    counts.push(1);
  }
  window.used += 1;
}

function dropOld(window: Times, until: number): void {
  const { times, counts } = window;
  let first = window.first;
  while (first < times.length && (times[first] ?? 0) <= until) {
    window.used -= counts[first] ?? 0;
    first += 1;
  }
  // Removing the start copies the rest, so it waits until half of the list is old.
  if (first > 256 && first * 2 > times.length) {
    times.splice(0, first);
    counts.splice(0, first);
    first = 0;
  }
  window.first = first;
}
