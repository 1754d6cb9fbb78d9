import { type OperationId, operations } from "../generated/operations.ts";
import type { ReportExchange } from "../generated/schema-types.ts";
import { isObject, jsonOf, mapValues } from "../lib/objects.ts";
import type { Role } from "./engine/settings.ts";
import { brief } from "./text.ts";

interface CommonOptions {
  headers?: Record<string, string>;
  /** Sent as JSON; no body if undefined. */
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  rawBody?: string;
  /** The role whose key is sent (default: `full`), null for no key, or another text, which reports hide like a key unless it is made up. */
  key?: Role | null | { text: string; isMadeUp?: boolean };
  /** Whether the request waits for the rate limit; default: true. */
  waits?: boolean;
}

/** What to send with a request to an operation. The URL is built from the operation's path template. */
export interface RequestOptions extends CommonOptions {
  /** The values of all path parameters by name, not encoded. */
  path?: Readonly<Record<string, string>>;
  /** The query parameters by name, not encoded. */
  query?: Query;
}

/** A request with its URL already built: to unknown paths, or with methods that a path does not support. */
export interface RawRequest extends CommonOptions {
  operation?: OperationId;
  method: string;
  /** Encoded, with the query. */
  path: string;
  /** Whether nothing is specified of its response but that it is no server failure. */
  isUnspecified?: boolean;
}

/** The call of a client that a request belongs to, as reports have it. */
export type ClientCall = NonNullable<ReportExchange["call"]>;

/** What is wrong with a response. Failures with the same cause are one finding of a report. */
export interface Fault {
  /** A sentence without a full stop, the same for every response with this fault. */
  cause: string;
  /** The properties and headers that it is about; absent: the whole response. */
  names?: readonly string[];
}

/** A request and its response. */
export interface Exchange {
  request: RawRequest;
  sent: { headers: Record<string, string>; text: string | undefined };
  /** 0 if there was no response. */
  status: number;
  /** The hooks called since the request before, with their values. */
  hooks?: string[];
  /** Whether it was sent at the same time as others of its test case. */
  atOnce?: boolean;
  /** Absent if the suite itself sends the request. */
  call?: ClientCall;
  /** What was done to the response of a client's request. */
  disturbance?: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  text: string;
  /** The body parsed as JSON; undefined if it is not JSON. */
  json: unknown;
  /** What is wrong with the response whatever the request was, if it was checked. */
  faults?: readonly Fault[];
  /** Milliseconds since 1970. */
  startedAt: number;
  /** The server's time when the response came, as far as the run knows its clock. */
  serverTime?: number;
  milliseconds: number;
}

export const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300;

/** Whether a response says that it is the one to an earlier request. */
export const isReplay = ({ headers }: Pick<Exchange, "headers">): boolean =>
  headers["idempotent-replayed"] === "true";

/** The statuses of a server that lacks an operation. */
export const absent: readonly number[] = [404, 405, 501];

/** The error object of a response; undefined if it has none. */
export function errorOf({ json }: Pick<Exchange, "json">): Record<string, unknown> | undefined {
  const error: unknown = (json as { error?: unknown } | null | undefined)?.error;
  return typeof error === "object" && error !== null ? (error as Record<string, unknown>) : undefined;
}

/** The status of a response, and the start of its error type: `403 forbidden`. */
export const responseText = (exchange: Exchange): string =>
  brief([exchange.status, errorOf(exchange)?.type].join(" "), 80);

export const isRateLimited = (exchange: Pick<Exchange, "json" | "status">): boolean =>
  exchange.status === 429 && errorOf(exchange)?.type === "rate_limited";

/** The names in `error.fields`. */
export function namedFields(exchange: Pick<Exchange, "json">): string[] {
  const { fields } = errorOf(exchange) ?? {};
  return isObject(fields) ? Object.keys(fields) : [];
}

/** The body of a request as JSON; undefined if there is none or it is not JSON. */
export const requestBody = ({ request, sent }: Pick<Exchange, "request" | "sent">): unknown =>
  request.rawBody === undefined ? request.body : jsonOf(sent.text ?? "");

/** A query parameter that is undefined is not sent; a list is sent as one parameter per entry (`form`, exploded). */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
type QueryValue = string | number | boolean;

/**
 * The path of a request: the template with encoded path parameters, and the query.
 * @param template with `{name}` for each path parameter
 * @throws Error if `path` lacks a parameter of the template
 */
export function pathOf(
  template: string,
  path: Readonly<Record<string, string>> = {},
  query: Query = {},
): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Error(`path parameter ${name} of ${template} is missing`);
    return encodeURIComponent(value);
  });
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)] as [string, string]),
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

const patterns = (Object.keys(operations) as OperationId[]).map((id) => {
  const { method, path } = operations[id];
  return { id, method, path: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`) };
});

/** A path without its query. */
export const plainPath = (path: string): string => path.replace(/[?#].*$/s, "");

/** The operation of a request; undefined if there is none. */
export const operationAt = (method: string, path: string): OperationId | undefined =>
  patterns.find((one) => one.method === method && one.path.test(path))?.id;

/** The operation of a request, if it has one, and its name by method and path template. */
export function requestName({ operation: known, method, path }: RawRequest) {
  const operation = known ?? operationAt(method, plainPath(path));
  const template = operation === undefined ? plainPath(path) : operations[operation].path;
  return { operation, name: `${method} ${template}` };
}

/** The decoded path parameters of a request to an operation; undefined if they are malformed. */
export function pathParametersAt(operation: OperationId, path: string): Record<string, string> | undefined {
  const found = patterns.find(({ id }) => id === operation)?.path.exec(plainPath(path))?.groups;
  try {
    return mapValues({ ...found }, decodeURIComponent);
  } catch {
    return undefined;
  }
}
