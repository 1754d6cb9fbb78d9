import { errors } from "../../generated/errors.ts";
import type { OperationId } from "../../generated/operations.ts";
import type { AnswerExample } from "./answers.ts";
import { must } from "./broken.ts";
import type { Exchange } from "./call.ts";
import { document, headerCalled } from "./document.ts";
import { faults, inWords } from "./faults.ts";

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
