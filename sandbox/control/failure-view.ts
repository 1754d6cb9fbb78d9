import type { Failure, FailureEntry } from "../domain/failures.ts";

/** The failures by name that need no value. `delay` takes a duration, `429` the seconds of `Retry-After`. */
export const failuresByName = {
  500: { kind: "status", status: 500, body: true },
  "500-empty": { kind: "status", status: 500, body: false },
  502: { kind: "status", status: 502, body: true },
  503: { kind: "status", status: 503, body: true },
  cut: { kind: "cut" },
} as const satisfies Record<string, Failure>;

/** All names, as the control API and the form take them, with what happens to the request. */
export const failureNames = {
  429: "429 rate_limited, with Retry-After",
  500: "500",
  "500-empty": "500 without a body",
  502: "502",
  503: "503",
  delay: "delay: responds late",
  cut: "cut: closes the connection after processing",
} as const;

export type FailureName = keyof typeof failureNames;

/** The value of `requests` for all requests until the failure is ended. */
export const allRequests = "all";

export function nameOf(failure: Failure): `${FailureName}` {
  if (failure.kind === "rate limit") return "429";
  if (failure.kind !== "status") return failure.kind;
  return failure.status === 500 && !failure.body ? "500-empty" : `${failure.status}`;
}

/** An active failure with the fields that add it. */
export const failureView = ({ id, failure, requests, match, hits = 0 }: FailureEntry) => ({
  id,
  failure: nameOf(failure),
  ...(failure.kind === "delay" && { delay: failure.milliseconds }),
  ...(failure.kind === "rate limit" && { retry_after: failure.retryAfter }),
  requests: requests ?? allRequests,
  ...match,
  failed: hits,
});
