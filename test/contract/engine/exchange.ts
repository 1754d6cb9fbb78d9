import type { OperationId } from "../../../generated/operations.ts";
import type { Role } from "./settings.ts";

/** A request to the server under test. */
export interface Call {
  /** The operation it is a call of, where it is one. */
  operation?: OperationId;
  method: string;
  /** The path, with everything in it encoded. */
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON; no body where undefined. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  text?: string;
  /**
   * Whose key goes along: that of a role (`full` unless told otherwise), none, or another text, which no
   * report shows either.
   */
  key?: Role | null | { text: string };
  /** Whether the request limit is kept, which it is unless told otherwise. */
  paced?: boolean;
}

/** A request and what came back. */
export interface Exchange {
  call: Call;
  sent: { headers: Record<string, string>; text: string | undefined };
  status: number;
  /** By their names in small letters. */
  headers: Record<string, string>;
  text: string;
  /** The body read as JSON; undefined where it is none. */
  json: unknown;
  /** When it began, in milliseconds since 1970. */
  startedAt: number;
  milliseconds: number;
}

/** Whether the answer is one of success. */
export const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300;

/** The error object of an answer; undefined where it has none. */
export function errorOf({ json }: Pick<Exchange, "json">): Record<string, unknown> | undefined {
  const error: unknown = (json as { error?: unknown } | null | undefined)?.error;
  return typeof error === "object" && error !== null ? (error as Record<string, unknown>) : undefined;
}
