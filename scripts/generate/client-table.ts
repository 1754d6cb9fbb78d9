import { limitOf } from "../bundle/limit.ts";
import type { ErrorRow, OpenApiDocument } from "../document.ts";
import { Failure } from "../failure.ts";
import { header } from "../notice.ts";
import { operationsOf, type PlacedOperation } from "../operations.ts";
import { headerNames } from "./headers.ts";
import { statesOf } from "./lifecycles.ts";
import { documentation, literal } from "./print.ts";

/**
 * Everything that the client does by data, made to be small: each value is a constant of its own, so that a bundler
 * leaves out what a program does not use.
 */
export function tableFile(document: OpenApiDocument): string {
  const placed = operationsOf(document);
  const names = headerNames(document);
  return [
    header + rowType,
    ...placed.map((one) => constant(one.id, `${one.operation.summary}.`, row(document, one), "Row")),
    constant("keyedCalls", "The calls that take an idempotency key: method and address.", keyed(document)),
    constant("repeats", repeatsComment, repeats(document["x-errors"]), 'Record<string, "after" | "backoff">'),
    ...limitNames.map((name) => limitConstant(document, name)),
    constant("ended", "States of a message that nothing leads out of.", endStates(document)),
    ...headersRead.map((component) => headerConstant(names, component)),
  ].join("\n");
}

const rowType = `/** An operation: its method, its address with \`{}\` for each path parameter, and whether it takes an idempotency key. */
export type Row = readonly [method: string, path: string, keyed?: true];
`;

const repeatsComment =
  "What may be repeated, by `<status>.<type>`, or by the status where any type may be repeated: `after` was refused\n" +
  "before anything was done, `backoff` may have been done. What does not stand here is never repeated.";

/** The limits that the client keeps to, by name. */
const limitNames = ["batchMessages", "idempotencyKeyLength", "requestsPerMinute"];

/** The headers that the client reads, by their component in the document. */
const headersRead = [
  "RequestId",
  "IdempotentReplayed",
  "MonthlyQuota",
  "MonthlyRemaining",
  "RateLimitLimit",
  "RateLimitRemaining",
  "RetryAfter",
];

function constant(name: string, comment: string, value: unknown, type?: string): string {
  const kept = type === undefined ? "" : ` satisfies ${type}`;
  return `${documentation(comment)}export const ${name} = ${literal(value)} as const${kept};\n`;
}

const takesKey = (document: OpenApiDocument, { parameters }: PlacedOperation): boolean =>
  parameters.some((parameter) => parameter === document.components.parameters?.IdempotencyKey);

const row = (document: OpenApiDocument, one: PlacedOperation): unknown[] => [
  one.method.toUpperCase(),
  one.path.replaceAll(/\{\w+\}/g, "{}"),
  ...(takesKey(document, one) ? [true] : []),
];

const keyed = (document: OpenApiDocument): string[] =>
  operationsOf(document)
    .filter((one) => takesKey(document, one))
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);

function repeats(rows: readonly ErrorRow[]): Map<string, string> {
  return new Map(
    rows
      .filter(({ retry }) => retry !== "never")
      .map(({ status, type, retry }) => [type === null ? String(status) : `${status}.${type}`, retry]),
  );
}

function limitConstant(document: OpenApiDocument, name: string): string {
  const limit = document["x-limits"][name];
  if (limit === undefined)
    throw new Failure(`the client needs the limit ${name}, which is gone`, {
      hint: "Mend limitNames in scripts/generate/client-table.ts.",
    });
  const comment = `${limit.description.trim()}\n\nUnit: ${limit.unit}.`;
  return constant(name, comment, limitOf(document, name, limit));
}

/** The states of a message that no step leads out of, those aside of which the ways are not specified. */
function endStates(document: OpenApiDocument): unknown[] {
  const life = document["x-lifecycles"].message;
  if (life === undefined) throw new Failure("openapi/lifecycles.yaml does not tell the life of a message");
  const steps = life.transitions.filter(({ error }) => error === undefined);
  const left = new Set<unknown>([...steps.flatMap(({ from }) => from ?? []), ...(life.unspecified ?? [])]);
  return statesOf(document, "message", life.schema).filter((state) => !left.has(state));
}

function headerConstant(names: Map<string, string>, component: string): string {
  const name = names.get(component);
  if (name === undefined)
    throw new Failure(`the client needs the header ${component}, which is gone`, {
      hint: "Mend headersRead in scripts/generate/client-table.ts.",
    });
  const constantName = `${component.charAt(0).toLowerCase()}${component.slice(1)}Header`;
  return constant(constantName, `The name of the header ${component}.`, name.toLowerCase());
}
