import type { Clock } from "../../client/src/options.ts";

/** A clock that only advances on request, from timer to timer. */
export interface FakeClock extends Clock {
  /** Advances until the promise is settled, and returns it. Fails if no timer is left. */
  until<T>(promise: Promise<T>): Promise<T>;
  advance(milliseconds: number): Promise<void>;
  /** The number of timers. */
  readonly timers: number;
}

export function createFakeClock(start = Date.parse("2027-01-31T09:00:00Z")): FakeClock {
  let time = start;
  let serial = 0;
  const timers = new Map<number, { at: number; act: () => void }>();
  const next = () => [...timers].sort(([one, a], [other, b]) => a.at - b.at || one - other)[0];
  const fire = ([id, { at, act }]: [number, { at: number; act: () => void }]) => {
    timers.delete(id);
    time = Math.max(time, at);
    act();
  };
  return {
    Date: { now: () => time },
    setTimeout(act, milliseconds) {
      // As on the platform, a delay that is too long fires immediately.
      const wait = milliseconds > 2 ** 31 - 1 ? 1 : Math.max(1, milliseconds);
      timers.set(++serial, { at: time + wait, act });
      return serial;
    },
    clearTimeout: (timer: number) => void timers.delete(timer),
    get timers() {
      return timers.size;
    },
    async until(promise) {
      let settled = false;
      const mark = () => {
        settled = true;
      };
      promise.then(mark, mark);
      for (await idle(); !settled; await idle()) {
        const timer = next();
        if (timer === undefined) throw new Error("no timer is left");
        fire(timer);
      }
      return promise;
    },
    async advance(milliseconds) {
      const end = time + milliseconds;
      await idle();
      for (let timer = next(); timer !== undefined && timer[1].at <= end; timer = next()) {
        fire(timer);
        await idle();
      }
      time = end;
    },
  };
}

/** Waits for pending promises. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
