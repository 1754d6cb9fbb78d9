import type { RateWindow } from "./store.ts";

/** The requests of the last minute count (Limits), in milliseconds. */
export const rateWindow = 60_000;

/** An account's requests within the last minute, in order, from index `first` on: when they came, and how many at each time. */
interface Requests {
  times: { at: number; count: number }[];
  first: number;
  used: number;
}

/** The rate windows of the accounts, in the memory of one process. */
export class RateWindows {
  readonly #accounts = new Map<string, Requests>();

  /** Counts a request, unless `limit` requests are in the window. @returns the window before */
  count(accountId: string, now: number, limit: number): RateWindow {
    const window = this.#accounts.get(accountId) ?? { times: [], first: 0, used: 0 };
    this.#accounts.set(accountId, window);
    dropOld(window, now - rateWindow);
    const { times, first, used } = window;
    const oldest = times[first]?.at ?? null;
    if (used >= limit) return { used, oldest };
    const last = times.at(-1);
    if (last?.at === now) last.count += 1;
    else times.push({ at: now, count: 1 });
    window.used += 1;
    return { used, oldest };
  }
}

function dropOld(window: Requests, until: number): void {
  const { times } = window;
  for (let old = times[window.first]; old !== undefined && old.at <= until; old = times[window.first]) {
    window.used -= old.count;
    window.first += 1;
  }
  // Removing the start copies the rest, so it waits until half of the list is old.
  if (window.first <= 256 || window.first * 2 <= times.length) return;
  times.splice(0, window.first);
  window.first = 0;
}
