import type { Time } from "../../contract/engine/time.ts";

/** A time that stands still while anybody is at work, and goes on at once to the end of the shortest wait when nobody is. */
export interface VirtualTime extends Time {
  /** Counts a piece of work: until it is done, time stands still. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface VirtualTimeOptions {
  /** Where it starts, in milliseconds since 1970. */
  start: number;
  /** Lets so many milliseconds pass on the server, and resolves when all that was due has happened. */
  pass(milliseconds: number): Promise<void>;
}

/** A wait under way. */
interface Waiter {
  until: number;
  end(): void;
}

/** Time for a run on a server whose clock is moved by hand: minutes of waiting take none. */
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
    // Whoever has just been answered gets their turn first: they may have more to do.
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
