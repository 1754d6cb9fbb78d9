import type { ErrorRow } from "../../generated/schema-types.ts";
import { limitOf } from "../document/limits.ts";
import { isIdempotencyKey, operationsOf, type PlacedOperation } from "../document/operations.ts";
import { headerNames } from "../document/responses.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { constant, documentation, literal } from "../document/typescript.ts";
import { statesOf } from "./lifecycles.ts";

/**
 * The data of the client. Each value is a separate constant, so that a bundler can drop unused ones. Values that the
 * document does not define are omitted; a client that needs them does not compile.
 */
export function tableFile(document: OpenApiDocument): string {
  const placed = operationsOf(document);
  const names = headerNames(document);
  return [
    rowType,
    ...placed.map((one) => constant(one.id, `${one.operation.summary}.`, row(one), "Row")),
    constant(
      "idempotentOperations",
      "The operations that accept an idempotency key: method and path.",
      placed
        .filter(({ parameters }) => parameters.some(isIdempotencyKey))
        .map(({ method, path }) => [method.toUpperCase(), path]),
    ),
    pattern("safeToRetry", safeComment, repeated(document["x-errors"], "after")),
    pattern("retryableIfIdempotent", retryableComment, repeated(document["x-errors"], "backoff")),
    ...["batchMessages", "requestsPerMinute", "idempotencyWindow"].flatMap((name) =>
      limitConstant(document, name),
    ),
    ...keyPattern(document),
    ...notInBaseUrl(document),
    constant("finalStates", "The states of a message that no transition leaves.", finalStates(document)),
    ...headersRead.flatMap((component) => headerConstant(component, names.get(component))),
  ].join("\n");
}

const rowType = `/** An operation: method, path with \`{name}\` for each path parameter, whether it accepts an idempotency key, names of query parameters. */
export type Row = readonly [method: string, path: string, idempotent?: true | undefined, query?: readonly string[]];
`;

/** The headers that the client reads, by their component in the document. */
const headersRead = [
  "ServiceRequestId",
  "IdempotentReplayed",
  "MonthlyQuota",
  "MonthlyRemaining",
  "RateLimitLimit",
  "RateLimitRemaining",
  "RetryAfter",
];

function row(one: PlacedOperation): unknown[] {
  const query = one.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const idempotent = one.parameters.some(isIdempotencyKey) ? true : undefined;
  return [
    one.method.toUpperCase(),
    one.path,
    ...(idempotent || query.length > 0 ? [idempotent] : []),
    ...(query.length > 0 ? [query] : []),
  ];
}

const safeComment =
  "Errors, as `<status>.<type>`, of requests that had no effect: retry them after the wait.";
const retryableComment =
  "Errors, as `<status>.<type>`, of requests that may have had an effect: retry idempotent requests only.\n" +
  "Any other error is never retried.";

const pattern = (name: string, comment: string, source: string): string =>
  `${documentation(comment)}export const ${name} = /${source}/;\n`;

/** A pattern of the errors with this retry rule; a row without a type covers every type. */
function repeated(rows: readonly ErrorRow[], retry: ErrorRow["retry"]): string {
  const cases = rows.filter((row) => row.retry === retry);
  const typed = cases.flatMap(({ status, type }) => (type === null ? [] : [`^${status}\\.${type}$`]));
  const untyped = cases.flatMap(({ status, type }) => (type === null ? [`${status}`] : []));
  // Statuses that differ only in their last digit share one alternative, to save bytes.
  const alike = Map.groupBy(untyped, (status) => status.slice(0, -1));
  const whole = [...alike].map(
    ([start, all]) => `^${start}[${all.map((status) => status.slice(-1)).join("")}]\\.`,
  );
  // An empty pattern would match everything; this one matches nothing.
  return [...typed, ...whole].join("|") || "(?!)";
}

function limitConstant(document: OpenApiDocument, name: string): string[] {
  const limit = document["x-limits"][name];
  if (limit === undefined) return [];
  const comment = `${limit.description.trim()}\n\nUnit: ${limit.unit}.`;
  return [constant(name, comment, limitOf(document, name, limit))];
}

/** The limit of idempotency keys as a pattern, the smallest check in bytes, and in words for a message. */
function keyPattern(document: OpenApiDocument): string[] {
  const limit = document["x-limits"].idempotencyKeyLength;
  const value = limit && limitOf(document, "idempotencyKeyLength", limit);
  if (value === undefined) return [];
  const comment = `An idempotency key: at most ${value} characters, allowed in a header, without leading or trailing spaces.`;
  const rule = `1 to ${value} ASCII characters, without spaces at its ends`;
  return [
    pattern("idempotencyKeyPattern", comment, `^[!-~]([ -~]{0,${value - 2}}[!-~])?$`),
    constant("idempotencyKeyRule", "What an idempotency key must be, for messages.", rule),
  ];
}

/** The prefix of every path, with which a base URL must not end, and what would hide the path. */
function notInBaseUrl(document: OpenApiDocument): string[] {
  const { prefix } = document["x-versioning"];
  const comment = `What a base URL must not have: ${prefix}, a query, a fragment or user information.`;
  return [pattern("notInBaseUrl", comment, `[?#@]|${prefix.replaceAll("/", "\\/")}\\/*$`)];
}

/** The states of a message without outgoing transitions, except those with unspecified transitions. */
function finalStates(document: OpenApiDocument): unknown[] {
  const life = document["x-lifecycles"].message;
  if (life === undefined) return [];
  const steps = life.transitions.filter(({ error }) => error === undefined);
  const left = new Set<unknown>([...steps.flatMap(({ from }) => from ?? []), ...(life.unspecified ?? [])]);
  return statesOf(document, "message", life.schema).filter((state) => !left.has(state));
}

function headerConstant(component: string, name: string | undefined): string[] {
  if (name === undefined) return [];
  const constantName = `${component.charAt(0).toLowerCase()}${component.slice(1)}Header`;
  return [constant(constantName, `The name of the header ${component}.`, name.toLowerCase())];
}

/** The errors of each operation: as types, and as data for the type guards. */
export function clientErrorsFile(document: OpenApiDocument): string {
  const rows = document["x-errors"];
  const operations = operationsOf(document).map(({ id, operation }) => ({
    id,
    summary: operation.summary,
    rows: rows.filter((row) => row.operations.includes(id)),
  }));
  const types = operations.map(
    ({ id, summary, rows }) => `${documentation(`${summary}.`, 2)}  ${id}:\n${rows.map(shape).join("\n")};\n`,
  );
  const data = new Map(
    operations.map(({ id, rows }) => [
      id,
      rows.map(({ status, type }) => (type === null ? String(status) : `${status}.${type}`)).join(" "),
    ]),
  );
  return (
    `/** The documented errors of each operation: status and \`error.type\`. */\n` +
    `export interface OperationErrors {\n${types.join("")}}\n\n` +
    "/** The same as data: `<status>.<type>`, or the status if the type is unspecified. */\n" +
    `export const operationErrors = ${literal(data)} as const satisfies Record<keyof OperationErrors, string>;\n`
  );
}

const shape = ({ status, type }: ErrorRow): string =>
  `    | { readonly status: ${status}; readonly type: ${type === null ? anyType : JSON.stringify(type)} }`;

/** Unlike `string`, it leaves the types of the other errors in a union, so that editors complete them. */
const anyType = "(string & {}) | null";
