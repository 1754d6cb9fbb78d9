import { setTimeout as wait } from "node:timers/promises";

/** A simulated failure. */
export type Failure =
  /** `body` is false for a 500 without an error body. */
  | { kind: "status"; status: 500 | 502 | 503; body: boolean }
  | { kind: "delay"; milliseconds: number }
  /** The request is processed; the connection closes without a response. */
  | { kind: "cut" };

/** The failures of the next API requests, in the order in which they were added. */
export type Failures = ReturnType<typeof createFailures>;

export function createFailures() {
  let queue: { failure: Failure; requests: number }[] = [];
  const ended = new AbortController();
  return {
    /** Takes the failure of the next API request. */
    next(): Failure | undefined {
      const first = queue[0];
      if (first === undefined) return undefined;
      first.requests -= 1;
      if (first.requests <= 0) queue.shift();
      return first.failure;
    },
    /** Makes the next `requests` API requests fail, after those that are pending. */
    add(failure: Failure, requests: number): void {
      if (requests > 0) queue.push({ failure, requests });
    },
    pending: () => queue.map((entry) => ({ ...entry })),
    clear(): void {
      queue = [];
    },
    /** Delays a request, in real time. */
    hold: (milliseconds: number): Promise<void> =>
      wait(milliseconds, undefined, { signal: ended.signal }).catch(() => {}),
    /** Ends all delays, those to come included, so that the sandbox can close. */
    end: () => ended.abort(),
  };
}
