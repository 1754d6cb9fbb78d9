import { setTimeout as wait } from "node:timers/promises";
import { failureMessages } from "../../generated/examples.ts";
import { headers } from "../../generated/headers.ts";
import { count } from "../../lib/text.ts";
import { type Store, StoreUnavailableError } from "../domain/store.ts";
import { type ErrorResponse, errorResponse } from "./error-response.ts";

export type Failure =
  /** `body` is false for a 500 without an error body. */
  | { kind: "status"; status: 500 | 502 | 503; body: boolean }
  /** A 429 `rate_limited`, with `Retry-After` in seconds. */
  | { kind: "rate limit"; retryAfter: number }
  | { kind: "delay"; milliseconds: number }
  /** The request is processed; the connection closes without a response. */
  | { kind: "cut" };

/** Which requests fail: those that meet all conditions. */
export interface FailureMatch {
  /** In capitals. */
  method?: string | undefined;
  /** The path template of an operation, such as `/api/v1/emails/{id}`, or the start of one followed by `*`. */
  path?: string | undefined;
  /** The id or the label of an API key. */
  key?: string | undefined;
  /** Which part of the matching requests fails, more than 0 and at most 1: 0.25 is every fourth. */
  share?: number | undefined;
}

/** A failure of requests to come. Serializable as JSON, so that several instances can share a list. */
export interface FailureEntry {
  id: string;
  failure: Failure;
  /** How many more requests fail; null for all until the entry is removed. */
  requests: number | null;
  match?: FailureMatch;
  /** How many requests have failed. */
  hits?: number;
  /** How many requests met the other conditions, for the share. */
  matched?: number;
}

/** What conditions compare. */
export interface FailureRequest {
  operation: { readonly method: string; readonly path: string };
  key: { readonly id: string; readonly label: string };
}

/**
 * Takes the failure of a request: that of the oldest entry that matches.
 * @returns the failure, and the list afterwards, which is the same one if nothing has to be stored
 */
export function takeFailure(list: readonly FailureEntry[], request: FailureRequest) {
  let current = list;
  for (const [index, entry] of list.entries()) {
    const { match = {}, failure, requests, hits = 0 } = entry;
    if (!isMatch(match, request)) continue;
    const matched = (entry.matched ?? 0) + 1;
    const counted = match.share === undefined ? entry : { ...entry, matched };
    if (!isInShare(match.share, matched)) {
      current = current.with(index, counted);
      continue;
    }
    if (requests === 1) return { list: current.toSpliced(index, 1), failure };
    const left = requests === null ? null : requests - 1;
    return { list: current.with(index, { ...counted, requests: left, hits: hits + 1 }), failure };
  }
  return { list: current };
}

function isMatch({ method, path, key }: FailureMatch, request: FailureRequest): boolean {
  if (method !== undefined && method !== request.operation.method) return false;
  if (path !== undefined && !isPathMatch(path, request.operation.path)) return false;
  return key === undefined || key === request.key.id || key === request.key.label;
}

/** Whether a path, or the start of one followed by `*`, matches a path template. */
export const isPathMatch = (path: string, template: string): boolean =>
  path.endsWith("*") ? template.startsWith(path.slice(0, -1)) : template === path;

/** Whether the share grows by a whole request with this one. A sum of shares would drift: ten times 0.1 is less than 1. */
function isInShare(share: number | undefined, matched: number): boolean {
  if (share === undefined) return true;
  const whole = (count: number): number => Math.floor(count * share + 1e-9);
  return whole(matched) > whole(matched - 1);
}

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
      // Random, so that the id of an ended failure never ends another one.
      const id = `failure_${Math.random().toString(32).slice(2, 10)}`;
      const entry = { id, failure, requests, ...(match !== undefined && { match }) };
      const isAdded = await store.changeSetting(setting, (text) => {
        const list = read(text);
        const result = list.length < mostFailures;
        return { value: result && (requests ?? 1) > 0 ? write([...list, entry]) : text, result };
      });
      if (!isAdded) throw new TooManyFailures();
      return id;
    },
    pending,
    /** Ends one failure. @returns false for an unknown id */
    remove: (id: string): Promise<boolean> =>
      store.changeSetting(setting, (text) => {
        const before = read(text);
        const list = before.filter((entry) => entry.id !== id);
        return { value: write(list), result: list.length < before.length };
      }),
    clear: (): Promise<void> => store.changeSetting(setting, () => ({ result: undefined })),
    /** Delays a request, in real time. */
    hold: (milliseconds: number): Promise<void> =>
      wait(milliseconds, undefined, { signal: ended.signal }).catch(() => {}),
    /** Ends all delays, those to come included, so that the sandbox can close. */
    end: () => ended.abort(),
  };
}

type FailureId = keyof typeof failureMessages;

/** Applies a simulated failure to a request: rejects it or delays it. One that closes the connection does nothing yet. */
export function applyFailure(failure: Failure, failures: Pick<Failures, "hold">) {
  if (failure.kind === "delay") return failures.hold(failure.milliseconds);
  if (failure.kind === "rate limit") {
    const message = `This rate limit is simulated. Wait ${count(failure.retryAfter, "second")}.`;
    return errorResponse("429.rate_limited", message, {
      [headers.RetryAfter.name]: String(failure.retryAfter),
    });
  }
  return failure.kind === "status" ? failureResponse(`${failure.status}`) : undefined;
}

/** The response to a request that failed, simulated or not. */
const failureResponse = (id: FailureId, headers?: Record<string, string>): ErrorResponse<FailureId> =>
  errorResponse(id, failureMessages[id], headers);

/** The response to a request that an error of the sandbox ends: a store that fails for now is no failure of the request. */
export const failureOf = (error: unknown): ErrorResponse<FailureId> =>
  error instanceof StoreUnavailableError
    ? failureResponse("503", { [headers.OptionalRetryAfter.name]: String(error.retryAfter) })
    : failureResponse("500");
