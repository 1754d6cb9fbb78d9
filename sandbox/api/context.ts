import type { OperationId, OperationRow } from "../../generated/operations.ts";
import type { Failures } from "../control/failures.ts";
import type { Directory } from "../domain/directory.ts";
import type { Delays } from "../domain/due.ts";
import type { Ids } from "../domain/ids.ts";
import type { Account, ApiKey } from "../domain/records.ts";
import type { IdempotencyRecord, Store } from "../domain/store.ts";
import type { Download } from "../mail/download.ts";
import type { RequestLimits } from "../middleware/rate.ts";
import type { Clock } from "../time/clock.ts";

/** A call as it came in, from whichever side. */
export interface ApiRequest {
  /** In capitals. */
  method: string;
  /** The target as it was sent: path and query, nothing decoded. */
  target: string;
  /** By their names in small letters. */
  headers: Record<string, string | undefined>;
  /** The bytes of the body; null where there was none. */
  body: Uint8Array | null;
  /** Set when the body was not kept, being larger than what is read here or finding no room beside others; `body` is null then. */
  bodyOmitted?: "too large" | "no room" | undefined;
}

/** An answer as it goes out. */
export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  /** The text of the body, `""` for none. */
  body: string;
  /** Set when the answer is to be thrown away and the connection ended in its place. */
  cut?: true;
}

/** What the sandbox is put together from. */
export interface Services {
  directory: Directory;
  store: Store;
  clock: Clock;
  ids: Ids;
  /** Gets the file behind a link of an attachment, of at most so many bytes. Without it links are checked only. */
  download?: (link: string, maxBytes: number) => Promise<Download>;
  failures: Failures;
  /** How long mail takes; a second or so each when not given. */
  delays?: Delays;
  /** How many requests accounts have in a minute, in place of the service's number: all of them, or some by their ids. */
  requestsPerMinute?: RequestLimits;
  /** Told of every call that was answered, for a log on the console: no bodies, no keys. */
  onRequest?: (call: HandledRequest) => void;
  /** Told of what went wrong inside, behind a 500. */
  onError?: (error: unknown) => void;
}

/** A call and what was answered. */
export interface HandledRequest {
  at: number;
  requestId: string;
  /** Null when no working key was given. */
  accountId: string | null;
  method: string;
  path: string;
  status: number;
  errorType: string | null;
  /** How long it took, in real time. */
  milliseconds: number;
}

/** A call that has an address, a method it takes, and a key that works. */
export interface RequestContext {
  readonly request: ApiRequest;
  readonly requestId: string;
  /** When the call came in, in milliseconds. */
  readonly now: number;
  readonly operation: OperationRow & { readonly id: OperationId };
  /** The parts of the path that the address leaves open, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly key: ApiKey;
  readonly account: Account;
  /** The JSON value of the body; undefined where the operation takes none. */
  body: unknown;
  /** The work that an idempotency key names; null without one. */
  idempotency: IdempotencyRecord | null;
}

/** What an operation answers when all went well. */
export interface Success {
  status: number;
  body: string;
  /** Recipients counted this month, on sends. */
  used?: number;
  /** Whether this is the answer of an earlier request with the same idempotency key. */
  replayed?: boolean;
}
