import { setTimeout as wait } from "node:timers/promises";
import {
  addFailure,
  type Failure,
  type FailureEntry,
  type FailureMatch,
  type FailureRequest,
  removeFailure,
  takeFailure,
} from "../domain/failures.ts";

/** The simulated failures of API requests to come, in the order in which they were added. */
export type Failures = ReturnType<typeof createFailures>;

export function createFailures() {
  let list: readonly FailureEntry[] = [];
  const ended = new AbortController();
  return {
    /** Takes the failure of an API request: that of the oldest entry that matches. */
    next(request: FailureRequest): Failure | undefined {
      if (list.length === 0) return undefined;
      const taken = takeFailure(list, request);
      list = taken.list;
      return taken.failure;
    },
    /** Makes the next `requests` API requests that match fail, or all of them with null. @returns the id of the entry */
    add(failure: Failure, requests: number | null = 1, match?: FailureMatch): string {
      const id = newId();
      list = addFailure(list, { id, failure, requests, ...(match !== undefined && { match }) });
      return id;
    },
    pending: () => list,
    /** Ends one failure. @returns false for an unknown id */
    remove(id: string): boolean {
      const before = list;
      list = removeFailure(list, id);
      return list !== before;
    },
    clear(): void {
      list = [];
    },
    /** Delays a request, in real time. */
    hold: (milliseconds: number): Promise<void> =>
      wait(milliseconds, undefined, { signal: ended.signal }).catch(() => {}),
    /** Ends all delays, those to come included, so that the sandbox can close. */
    end: () => ended.abort(),
  };
}

/** Random, so that the id of an ended failure never ends another one. */
const newId = (): string => `failure_${crypto.randomUUID().slice(0, 8)}`;
