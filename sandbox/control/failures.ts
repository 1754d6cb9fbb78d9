import { setTimeout as wait } from "node:timers/promises";

/** Something that goes wrong on purpose, so that a client's ways with it can be tried. */
export type Failure =
  | {
      kind: "status";
      status: 500 | 502 | 503 /** Whether the answer carries an error body. */;
      body: boolean;
    }
  | { kind: "delay"; milliseconds: number }
  /** The connection ends without an answer. */
  | { kind: "cut" };

/** The failures asked for, in the order in which calls meet them. */
export interface Failures {
  /** What to do to the next call of the API, if anything was asked for. It is used up by asking. */
  next(): Failure | undefined;
  /** Lets the next `count` calls that nothing else is meant for fail like this. */
  add(failure: Failure, count: number): void;
  /** How many calls are still going to fail, by failure. */
  waiting(): { failure: Failure; count: number }[];
  clear(): void;
  /** Holds a call up, in real time. */
  hold(milliseconds: number): Promise<void>;
  /** Lets everybody go on who is held up, and holds nobody up from now on: a sandbox that ends answers whoever waits. */
  end(): void;
}

export function createFailures(): Failures {
  let queue: { failure: Failure; count: number }[] = [];
  const over = new AbortController();
  return {
    next() {
      const first = queue[0];
      if (first === undefined) return undefined;
      first.count -= 1;
      if (first.count <= 0) queue.shift();
      return first.failure;
    },
    add(failure, count) {
      if (count > 0) queue.push({ failure, count });
    },
    waiting: () => queue.map((entry) => ({ ...entry })),
    clear() {
      queue = [];
    },
    hold: (milliseconds) => wait(milliseconds, undefined, { signal: over.signal }).catch(() => {}),
    end: () => over.abort(),
  };
}
