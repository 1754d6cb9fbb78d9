/** A simulated failure. */
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
  method?: string;
  /** The path template of an operation, such as `/api/v1/emails/{id}`, or the start of one followed by `*`. */
  path?: string;
  /** The id or the label of an API key. */
  key?: string;
  /** Which part of the matching requests fails, more than 0 and at most 1: 0.25 is every fourth. */
  share?: number;
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

type FailureList = readonly FailureEntry[];

/** Adds an entry after the others. */
export const addFailure = (list: FailureList, entry: FailureEntry): FailureList =>
  entry.requests !== null && entry.requests <= 0 ? list : [...list, entry];

/** Removes an entry. @returns the same list if it has no such entry */
export function removeFailure(list: FailureList, id: string): FailureList {
  const rest = list.filter((entry) => entry.id !== id);
  return rest.length === list.length ? list : rest;
}

/**
 * Takes the failure of a request: that of the oldest entry that matches.
 *
 * @returns the failure, and the list afterwards, which is the same one if nothing has to be stored
 */
export function takeFailure(
  list: FailureList,
  request: FailureRequest,
): { list: FailureList; failure?: Failure } {
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
