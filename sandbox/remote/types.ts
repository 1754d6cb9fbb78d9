import type { Failures } from "../api/failures.ts";
import type { FailureEntry } from "../domain/failures.ts";
import type { Fetch } from "../http/fetch.ts";
import type { Seed } from "../seed/seed.ts";

/** The options of a workspace of a running sandbox. All others are those of the running sandbox. */
export interface RemoteOptions {
  /** The URL of the running sandbox. */
  at: string;
  /** Whose it is, for the list of workspaces. */
  label?: string;
  /** How long the workspace exists unless it is closed before, in milliseconds. Default: a day. */
  lifetime?: number;
  /** The accounts: a seed, or the path of a file with one. Default: the accounts of the running sandbox. */
  seed?: string | Seed;
  /** Default: the clock of the running sandbox. */
  clock?: { frozen?: boolean; startAt?: number };
  requestsPerMinute?: number;
}

/** A message as the control API returns it. */
export interface RemoteMessage {
  id: string;
  account: string;
  status: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  html: string | null;
  text: string | null;
  tags: Record<string, string>;
  [property: string]: unknown;
}

/** Simulated failures of the requests to a workspace. */
export interface RemoteFailures extends Pick<Failures, "add" | "remove" | "clear"> {
  /** The active failures. */
  pending(): Promise<readonly FailureEntry[]>;
}

/** A workspace of a running sandbox, to use like a sandbox of one's own. */
export interface RemoteSandbox {
  /** The `base_url` of the service. */
  url: string;
  /** Like the global `fetch`. Relative URLs are resolved against `url`. */
  fetch: Fetch;
  clock: {
    now(): Promise<number>;
    /** Resolves when everything due by then has happened. */
    advance(milliseconds: number): Promise<void>;
  };
  outbox: {
    /** Messages of every status, the newest first. */
    messages(query?: { accountId?: string; limit?: number }): Promise<RemoteMessage[]>;
    /** The message as MIME. */
    eml(message: { id: string }): Promise<Uint8Array>;
  };
  failures: RemoteFailures;
  /** The keys by their labels. */
  keys: Readonly<Record<string, string>>;
  /** Returns to the state after the start. */
  reset(): Promise<void>;
  /** Deletes the workspace. It may be called again, or after the workspace has expired. */
  close(): Promise<void>;
}
