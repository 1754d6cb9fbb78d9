import type { OperationId } from "../../../generated/operations.ts";
import { Unreachable } from "../../engine/http.ts";

/** The version of the driver protocol, whose lines `driver-protocol.schema.json` describes. */
export const protocolVersion = 1;

/** The first line to a driver. */
export interface Start {
  protocol: typeof protocolVersion;
  /** Without a slash at the end. */
  baseUrl: string;
  key: string;
}

/** The first line of a driver: what its client can do. */
export interface Capabilities {
  client: string;
  operations: string[];
  /** Whether the client itself sends a failed request again. */
  retries: boolean;
  /** Whether it creates an idempotency key for a call without one. */
  idempotencyKeys: "automatic" | "explicit";
  timeouts: boolean;
  /** What its errors have besides status and type; default: both. */
  errors?: ("fields" | "requestId")[];
  /** What printing the client object shows. */
  printed?: string;
}

/** The start of the reason why a test case is not verified whose operation the client does not have. */
export const missingOperation = "The driver does not have the operation ";

/** A call of the client. */
export interface Call {
  operation: OperationId;
  /** The path parameters by name, not encoded. */
  path?: Readonly<Record<string, string>>;
  /** The query parameters by name, not encoded. */
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  idempotencyKey?: string;
  /** Milliseconds until the call must end; default: that of the client. */
  timeout?: number;
}

/** An error as the client reports it. */
export interface CallError {
  kind: "response" | "connection" | "timeout" | "unreadable" | "not sent";
  status?: number;
  type?: string | null;
  fields?: Record<string, string[]> | null;
  requestId?: string | null;
  message?: string;
}

/** What the client returned. */
export type Reply = { result: unknown } | { error: CallError };

/** The driver itself fails: it ends, stays silent or writes something else than the protocol allows. */
export class DriverError extends Unreachable {}

/** A client behind a driver. It processes one call at a time. */
export interface Driver {
  readonly capabilities: Capabilities;
  /**
   * Calls the client.
   *
   * @param replyTimeout milliseconds until the reply must be there
   * @returns undefined if there is no reply in time; the driver is then closed
   * @throws DriverError if the driver ends, or writes something else than a reply
   */
  call(call: Call, replyTimeout: number): Promise<Reply | undefined>;
  /** Whether it still processes calls. */
  readonly isOpen: boolean;
  /** What it wrote so far, on standard output and standard error, except for what was read before; at most the last 64 KiB. */
  takeOutput(): string;
  close(): Promise<void>;
}

/** What to ask if a driver writes no line although it does when it is run by hand. */
export const flushQuestion =
  "Does it flush standard output after each line? Many programs do so by themselves only in a terminal.";

/** Starts a driver with a base URL and a key. */
export type StartDriver = (start: Omit<Start, "protocol">) => Promise<Driver>;
