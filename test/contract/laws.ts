import { errors } from "../../generated/errors.ts";
import type { OperationId } from "../../generated/operations.ts";
import { responses } from "../../generated/validators/responses.js";
import type { AnswerExample } from "./answers.ts";
import { must } from "./broken.ts";
import type { Exchange } from "./call.ts";
import { firstDifference } from "./difference.ts";
import { document, headerCalled } from "./document.ts";

interface Fault {
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
}

type Row = Record<
  string,
  Record<"body" | "headers", ((data: never) => boolean) & { errors: Fault[] | null }>
>;

/** What the document finds wrong with the body or the headers of an answer. */
function faults(part: "body" | "headers", exchange: Exchange, operation: OperationId, key: string): Fault[] {
  const validator = (responses[operation] as unknown as Row)[key]?.[part];
  if (validator === undefined) throw new Error(`the document has no ${part} for ${operation} ${key}`);
  const data = part === "body" ? exchange.json : exchange.headers;
  return validator(data as never) ? [] : (validator.errors ?? []);
}

/** Where a fault is: the missing property itself, not the object that lacks it. */
const placeOf = ({ instancePath, params }: Fault): string =>
  "missingProperty" in params ? `${instancePath}/${String(params.missingProperty)}` : instancePath;

/** What is wrong, in words; the alternatives of a schema each find the same fault. */
const inWords = (found: Fault[]): string => [...new Set(found.map(faultInWords))].slice(0, 4).join("; ");

const faultInWords = (fault: Fault): string =>
  "missingProperty" in fault.params
    ? `${placeOf(fault)} is missing`
    : `${placeOf(fault) || "the body"} ${fault.message ?? "is wrong"}`;

/** The status is the one asked for, and the body is the example, which keeps to its schema. */
export function isAsDocumented(
  exchange: Exchange,
  { operation, key, status, example, value }: AnswerExample,
): void {
  must(exchange.status === status, exchange, {
    expected: `status ${status}`,
    found: `status ${exchange.status}`,
  });
  const found = faults("body", exchange, operation, key);
  must(found.length === 0, exchange, {
    expected: `the body that the document describes for ${key}`,
    found: inWords(found),
  });
  const difference = firstDifference(value, exchange.json);
  const expected = `the example ${example} as it stands in the document`;
  must(difference === undefined, exchange, { expected, found: difference ?? "" });
}

/**
 * Something in the body keeps to its schema.
 * @param pointer where: a JSON pointer, `*` for any entry or name
 */
export const has =
  (pointer: string, words: string) =>
  (exchange: Exchange, { operation, key }: Pick<AnswerExample, "operation" | "key">): void => {
    const pattern = new RegExp(`^${pointer.replaceAll("*", "[^/]+")}(/|$)`);
    must(exchange.json !== undefined, exchange, { expected: words, found: "a body that is not JSON" });
    // A body of another type altogether has none of its fields.
    const found = faults("body", exchange, operation, key).filter(
      (fault) => pattern.test(placeOf(fault)) || !placeOf(fault),
    );
    must(found.length === 0, exchange, { expected: words, found: inWords(found) });
  };

/** A header is there, and has a value of its type. */
export const hasHeader =
  (name: string) =>
  (exchange: Exchange, { operation, key }: Pick<AnswerExample, "operation" | "key">): void => {
    const lower = name.toLowerCase();
    const found = faults("headers", exchange, operation, key).filter(
      (fault) => placeOf(fault) === `/${lower}`,
    );
    const value = exchange.headers[lower];
    must(found.length === 0 && value !== undefined, exchange, {
      expected: `the header ${name} as documented`,
      found: value === undefined ? "no such header" : `${name}: ${value}, which ${found[0]?.message}`,
    });
  };

/** The body is an error object, as the document describes it for this operation and status. */
export function hasErrorShape(
  exchange: Exchange,
  { operation, key }: Pick<AnswerExample, "operation" | "key">,
): void {
  const found = faults("body", exchange, operation, key);
  const expected = "a body with error.type, error.message and error.request_id";
  must(found.length === 0, exchange, {
    expected,
    found: exchange.json === undefined ? "a body that is not JSON" : inWords(found),
  });
}

const requestId = headerCalled(document, "RequestId");

/** The call has one id, in the header and in the error. */
export function hasOneRequestId(exchange: Exchange): void {
  const header = exchange.headers[requestId.toLowerCase()];
  const body = errorOf(exchange)?.request_id;
  must(header !== undefined && header === body, exchange, {
    expected: `error.request_id equal to the header ${requestId}`,
    found: `${JSON.stringify(body) ?? "nothing"} in the body, ${JSON.stringify(header) ?? "nothing"} in the header`,
  });
}

/** The type of the error is one that the document lists for the operation and the status; any, where it lists none. */
export function hasListedType(
  exchange: Exchange,
  { operation, status }: { operation: OperationId; status: number },
): void {
  const rows = Object.values(errors).filter(
    (row) => row.status === status && (row.operations as readonly string[]).includes(operation),
  );
  const types = rows.map(({ type }) => type);
  const type = errorOf(exchange)?.type;
  must(types.includes(null) || types.some((one) => one === type), exchange, {
    expected: `error.type ${types.join(" or ")}, which ${operation} lists for ${status}`,
    found: `error.type ${JSON.stringify(type) ?? "missing"}`,
  });
}

/** The error object of an answer; undefined where it has none. */
export function errorOf({ json }: Exchange): Record<string, unknown> | undefined {
  const error: unknown = (json as { error?: unknown } | null | undefined)?.error;
  return typeof error === "object" && error !== null ? (error as Record<string, unknown>) : undefined;
}
