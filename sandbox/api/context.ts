import type { OperationId, OperationRow } from "../../generated/operations.ts";
import type { ParameterValues } from "../../generated/validators/requests.js";
import type { MailRules, Outbound } from "../domain/due.ts";
import type { Account, ApiKey, LoggedRequest } from "../domain/records.ts";
import type { IdempotencyRecord, Store, StoredResponse } from "../domain/store.ts";
import type { Directory } from "../seed/directory.ts";
import type { Clock } from "../time/clock.ts";
import type { ErrorOf, ErrorResponse } from "./error-response.ts";
import type { Ids } from "./ids.ts";
import type { RecentRequests } from "./recent.ts";
import type { Failures } from "./simulated-failure.ts";

/** A request, from HTTP or from `Sandbox.fetch`. */
export interface ApiRequest {
  /** In capitals. */
  method: string;
  /** Path and query as they were sent, not decoded. */
  target: string;
  /** By their names in lower case. */
  headers: Record<string, string | undefined>;
  /** Null without a body. */
  body: Uint8Array | null;
  /** Why the body was not kept: it exceeds the limit, or there is no memory for it beside others. `body` is null then. */
  bodyOmitted?: "too large" | "no room" | undefined;
}

/** Downloads the file of a link, of at most this many bytes. Otherwise, `problem` is a sentence for a field error. */
export type Download = (
  link: string,
  maxBytes: number,
) => Promise<{ bytes: Uint8Array } | { problem: string; tooLarge: boolean }>;

/** Requests per minute that replace the service's limit: for all accounts, or by account id. */
export type RequestLimits = number | Readonly<Record<string, number>>;

/** What the API works with. */
export interface Services {
  directory: Directory;
  store: Store;
  clock: Clock;
  ids: Ids;
  outbound: Outbound;
  /** Without it, links of attachments are checked but not downloaded. */
  download?: Download;
  failures: Failures;
  recent: RecentRequests;
  mailRules: MailRules;
  requestsPerMinute?: RequestLimits | undefined;
  /** Gets every request with its response, for a log on the console: no bodies, no keys. */
  onRequest?: ((request: HandledRequest) => void) | undefined;
  /** Gets the error behind a 500. */
  onError?: (error: unknown) => void;
}

/** A request with its response, for a log. */
export interface HandledRequest extends Omit<LoggedRequest, "accountId" | "fields"> {
  /** The real time of the response, in milliseconds. `at` is by the clock of the sandbox. */
  time: number;
  /** Null without a valid key. */
  accountId: string | null;
  /** The time that it took, in real time. */
  milliseconds: number;
}

/** A request with an operation and a valid key. */
export interface RequestContext {
  readonly request: ApiRequest;
  readonly requestId: string;
  /** When the request came in, in milliseconds. */
  readonly now: number;
  readonly operation: OperationRow & { readonly id: OperationId };
  /** The path parameters, valid when the handler runs. */
  path: object;
  /** The query parameters, valid when the handler runs. */
  query: object;
  readonly key: ApiKey;
  readonly account: Account;
  /** The JSON value of the body; undefined for an operation without one. */
  body: unknown;
  /** The size of the body as it was sent. */
  readonly bytes: number;
  /** Null without an idempotency key. */
  idempotency: IdempotencyRecord | null;
  /** The id of the confirmation email that the request sent. */
  confirmation?: string | null;
}

/** A request to one operation, with the types of its parameters. */
export interface OperationContext<Id extends OperationId> extends RequestContext {
  path: ParameterValues<Id>["path"];
  query: ParameterValues<Id>["query"];
}

export interface Success extends StoredResponse {
  /** Recipients counted this month, for sends. */
  used?: number;
  /** Whether it replays the response to an earlier request with the same idempotency key. */
  replayed?: boolean;
}

/** The result of an operation: only the errors that the error table has for it. */
export type Outcome<Id extends OperationId> = Success | ErrorResponse<ErrorOf<Id>>;

export type Handler<Id extends OperationId> = (
  context: OperationContext<Id>,
  services: Services,
) => Outcome<Id> | Promise<Outcome<Id>>;

/** The response to any request, to the API or not. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Closes the connection instead of sending the response. */
  cut?: true;
}

/** The response of the API; the body is empty for none. */
export type ApiResponse = HttpResponse & { body: string };

export interface RequestHandler {
  /** When it rejects, the connection closes. */
  handle(request: ApiRequest): Promise<HttpResponse>;
  /** The largest body that is read, in bytes. Not called for small bodies. */
  bodyLimit(request: Omit<ApiRequest, "body">): number;
}

/** The largest bodies that are read, in bytes. */
export const bodyLimits = {
  /** Read without looking at the request: checking its path and key twice would cost more. */
  unchecked: 16 * 1024,
  /** The control API and forms, which have a few short fields. */
  control: 1024 * 1024,
  /** The largest attachments of a message fit: 28 MiB are 37.4 MiB in base64, and 39.3 MiB with line breaks. */
  api: 40 * 1024 * 1024,
  /** All bodies together, from when they come in until their responses are sent. */
  total: 256 * 1024 * 1024,
} as const;
