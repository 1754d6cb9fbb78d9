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
import type { Store } from "../domain/store.ts";

/** The simulated failures of API requests to come, in the order in which they were added. They are a setting of the store. */
export type Failures = ReturnType<typeof createFailures>;

const setting = "failures";

/** Each request is compared with all of them. */
const mostFailures = 100;

export class TooManyFailures extends Error {
  constructor() {
    super(`There are already ${mostFailures} failures.`);
  }
}

const read = (text: string | undefined): readonly FailureEntry[] =>
  text === undefined ? [] : JSON.parse(text);

const write = (list: readonly FailureEntry[]): string | undefined =>
  list.length === 0 ? undefined : JSON.stringify(list);

export function createFailures(store: Pick<Store, "setting" | "changeSetting">) {
  const pending = (): readonly FailureEntry[] => read(store.setting(setting));
  const ended = new AbortController();
  return {
    /** Takes the failure of an API request: that of the oldest entry that matches. */
    next(request: FailureRequest): Promise<Failure | undefined> | undefined {
      if (store.setting(setting) === undefined) return undefined;
      return store.changeSetting(setting, (text) => {
        const { list, failure: result } = takeFailure(read(text), request);
        return { value: write(list), result };
      });
    },
    /**
     * Makes the next `requests` API requests that match fail, or all of them with null.
     * @returns the id of the entry
     * @throws TooManyFailures
     */
    async add(failure: Failure, requests: number | null = 1, match?: FailureMatch): Promise<string> {
      const id = newId();
      const entry = { id, failure, requests, ...(match !== undefined && { match }) };
      const isAdded = await store.changeSetting(setting, (text) => {
        const list = read(text);
        const result = list.length < mostFailures;
        return { value: result ? write(addFailure(list, entry)) : text, result };
      });
      if (!isAdded) throw new TooManyFailures();
      return id;
    },
    pending,
    /** Ends one failure. @returns false for an unknown id */
    remove: (id: string): Promise<boolean> =>
      store.changeSetting(setting, (text) => {
        const before = read(text);
        const list = removeFailure(before, id);
        return { value: write(list), result: list !== before };
      }),
    /** Ends all failures. */
    clear: (): Promise<void> => store.changeSetting(setting, () => ({ result: undefined })),
    /** Delays a request, in real time. */
    hold: (milliseconds: number): Promise<void> =>
      wait(milliseconds, undefined, { signal: ended.signal }).catch(() => {}),
    /** Ends all delays, those to come included, so that the sandbox can close. */
    end: () => ended.abort(),
  };
}

/** Random, so that the id of an ended failure never ends another one. */
const newId = (): string => `failure_${crypto.randomUUID().slice(0, 8)}`;
