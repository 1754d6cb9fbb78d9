import type { ClientCall } from "../exchange.ts";
import type { Role, Tag } from "./settings.ts";

/**
 * `fail`: the server does not meet a requirement. `not verified`: a fixture, key or hook is missing. `error`: the suite or the
 * network failed.
 */
export type Verdict = "pass" | "fail" | "not verified" | "error";

/** A request and its response for reports: keys redacted, long texts cut. */
export interface RecordedExchange {
  /** Milliseconds since 1970. */
  startedAt: number;
  milliseconds: number;
  method: string;
  /** Relative to the base URL. */
  path: string;
  /** The hooks called since the request before, such as `advanceClock {"seconds":3600}`. */
  hooks?: string[];
  /** Absent if the suite itself sends the request. */
  call?: ClientCall;
  /** What was done to the response of a client's request. */
  disturbance?: string;
  /** The role of the key; absent if there was no key, or another text. */
  key?: Role;
  request: { headers: Record<string, string>; body: string | null };
  /** Status 0: there was no response. */
  response: { status: number; headers: Record<string, string>; body: string };
}

export interface Failure {
  expected: string;
  found: string;
  /** The index of the exchange that shows it. */
  exchange: number | null;
  /** Of the random sequence of requests that shows it: all exchanges are needed. */
  seed?: number;
}

/** The results of one response check in a test case. */
export interface ResponseCheckTally {
  ids: readonly string[];
  title: string;
  /** The number of responses checked. */
  responses: number;
  failures: Failure[];
}

/** The result of a test case. */
export interface CaseOutcome {
  ids: string[];
  check: string;
  title: string;
  tags: Tag[];
  verdict: Verdict;
  /** Why it is not verified, or what the error is. */
  reason?: string;
  failure?: Failure;
  exchanges: RecordedExchange[];
  responseChecks: ResponseCheckTally[];
  /** What responses have in addition to the document, which is allowed. */
  information: string[];
  /** Shared requests count for the first test case that uses them. */
  requests: number;
  milliseconds: number;
}
