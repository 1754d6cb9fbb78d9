import type { Failures } from "./api/failures.ts";
import type { Message } from "./domain/records.ts";
import type { Store } from "./domain/store.ts";
import type { Fetch } from "./http/fetch.ts";
import type { SandboxClock } from "./time/clock.ts";

/** Sent and scheduled messages, for assertions in tests. */
export interface Outbox {
  /** Messages of every status, the newest first; `limit` defaults to all. */
  messages(query?: { accountId?: string; limit?: number }): Promise<Message[]>;
  /** The message as MIME, the same bytes each time. */
  eml(message: Message): Promise<Uint8Array>;
}

export interface Sandbox {
  /** The `base_url` of the service. */
  url: string;
  /** Like the global `fetch`, without a network. Relative URLs are resolved against `url`. */
  fetch: Fetch;
  /** Time in the sandbox. Advancing it resolves when everything due has happened. */
  clock: SandboxClock;
  outbox: Outbox;
  store: Store;
  failures: Failures;
  /** The folder of the data, or the URL of the database without its password; null in memory. */
  data: string | null;
  /** The URL of the SMTP server that mail is relayed to, without its password; null without one. */
  smtp: string | null;
  /** The keys of the seed by their labels. */
  keys: Readonly<Record<string, string>>;
  /** Whether the data folder had the contacts and suppressions of another seed at the start. A reset loads those of this one. */
  hasOtherSeed: boolean;
  /** Returns to the state after the start with this seed. */
  reset(): Promise<void>;
  /** From now on, `GET /health/ready` responds with 503, so that a load balancer sends nothing more. Requests are served until `close`. */
  drain(): void;
  /** Ends the requests in progress and closes everything. All calls from then on are rejected. */
  close(): Promise<void>;
}
