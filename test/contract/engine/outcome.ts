import type { Role, Tag } from "./settings.ts";

/**
 * How something ended. `fail`: the server broke a promise. `not verified`: something was missing to try it with. `error`: the
 * suite or the network was at fault, so that nothing can be said.
 */
export type Verdict = "pass" | "fail" | "not verified" | "error";

/** A request and its answer as reports show them: keys struck out, long texts cut. */
export interface RecordedExchange {
  /** When it began, in milliseconds since 1970. */
  startedAt: number;
  milliseconds: number;
  method: string;
  /** The path, below the base URL. */
  path: string;
  /** Whose key went along; absent where none did, or another text. */
  key?: Role;
  request: { headers: Record<string, string>; body: string | null };
  response: { status: number; headers: Record<string, string>; body: string };
}

/** What was expected of a server, and what it did. */
export interface Failure {
  expected: string;
  found: string;
  /** The exchange that shows it, by its place in the trial's. */
  exchange: number | null;
}

/** A law that every answer passes, and how it did in one trial. */
export interface ResponseCheckTally {
  ids: string[];
  title: string;
  /** How many answers it was held against. */
  responses: number;
  failures: Failure[];
}

/** How one trial of one check ended. */
export interface CaseOutcome {
  ids: string[];
  check: string;
  title: string;
  tags: Tag[];
  verdict: Verdict;
  /** Why it is not verified, or what went wrong in an error. */
  reason?: string;
  failure?: Failure;
  exchanges: RecordedExchange[];
  responseChecks: ResponseCheckTally[];
  /** What the server has beyond the document; allowed, and worth knowing. */
  information: string[];
  /** How many requests it made; those made once for several trials count for the first of them. */
  requests: number;
  milliseconds: number;
}
