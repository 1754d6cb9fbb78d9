import type { Time } from "../../contract/engine/run.ts";

/** A clock that stands still during work and advances to the end of the shortest wait when there is none. */
export interface VirtualTime extends Time {
  /** The clock stands still until the work is done. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
}

interface VirtualTimeOptions {
  /** In milliseconds since 1970. */
  start: number;
  /** Advances the server's clock and resolves when all due work is done. */
  pass(milliseconds: number): Promise<void>;
}

interface Waiter {
  until: number;
  end(): void;
}

/** The clock of a run on a server whose clock is moved by hand, so that waiting takes no time. */
export function virtualTime({ start, pass }: VirtualTimeOptions): VirtualTime {
  let elapsed = 0;
  let atWork = 0;
  let going = false;
  let waiters: Waiter[] = [];

  const goOn = async (): Promise<void> => {
    const next = Math.min(...waiters.map(({ until }) => until));
    await pass(next - elapsed);
    elapsed = next;
    const over = waiters.filter(({ until }) => until <= elapsed);
    waiters = waiters.filter(({ until }) => until > elapsed);
    for (const { end } of over) end();
  };
  const look = (): void => {
    if (going || atWork > 0 || waiters.length === 0) return;
    going = true;
    // Callers that just got a response go first: they may have more requests.
    setImmediate(async () => {
      if (atWork === 0 && waiters.length > 0) await goOn();
      going = false;
      look();
    });
  };
  return {
    now: () => start + elapsed,
    elapsed: () => elapsed,
    wait: (milliseconds) =>
      new Promise((resolve) => {
        waiters.push({ until: elapsed + Math.max(1, Math.ceil(milliseconds)), end: resolve });
        look();
      }),
    during: async (work) => {
      atWork += 1;
      try {
        return await work();
      } finally {
        atWork -= 1;
        look();
      }
    },
  };
}
