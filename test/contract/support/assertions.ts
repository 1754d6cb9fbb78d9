import type { OperationId } from "../../../generated/operations.ts";
import { isObject } from "../cases/place.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Exchange, errorOf, isSuccess, type RequestOptions } from "../engine/exchange.ts";
import { Unreachable } from "../engine/http.ts";
import type { Tester } from "../engine/tester.ts";

/** Calls an operation and expects success. */
export async function requestOk(
  tester: Tester,
  operation: OperationId,
  options: RequestOptions = {},
): Promise<Exchange> {
  const exchange = await tester.request(operation, options);
  assertSuccess(exchange);
  return exchange;
}

/** The id in an response. */
export const idOf = (exchange: Exchange): string => {
  const { id } = bodyOf(exchange);
  assert(typeof id === "string" && id !== "", exchange, { expected: "an id", found: format(id) });
  return id;
};

/** The body of an response, which must be an object. */
export function bodyOf(exchange: Exchange): Record<string, unknown> {
  const { json } = exchange;
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  assert(isObject, exchange, { expected: "an object as the body", found: format(json) });
  return json as Record<string, unknown>;
}

/** The response is one of success. */
export function assertSuccess(exchange: Exchange): void {
  assert(isSuccess(exchange), exchange, { expected: "success", found: failureIn(exchange) });
}

/** The response is a failure of this status and type. */
export function assertError(exchange: Exchange, status: number | readonly number[], type: string): void {
  const statuses = [status].flat();
  assert(statuses.includes(exchange.status) && errorOf(exchange)?.type === type, exchange, {
    expected: `${statuses.join(" or ")} ${type}`,
    found: isSuccess(exchange) ? `status ${exchange.status}` : failureIn(exchange),
  });
}

/**
 * The response to a call that the hook `failNext` was to let fail. A success that has no error in it says nothing of the server.
 * @throws Unreachable where the hook had no effect
 */
export function assertFailNextWorked(exchange: Exchange): Exchange {
  if (isSuccess(exchange) && errorOf(exchange) === undefined)
    throw new Unreachable(
      `hooks.failNext had no effect: the call after it, ${exchange.request.method} ${exchange.request.path}, was answered ${exchange.status}.`,
    );
  return exchange;
}

/** A part of an response is what it must be. */
export function assertEqual(
  exchange: Exchange | undefined,
  name: string,
  found: unknown,
  expected: unknown,
): void {
  assert(JSON.stringify(sorted(found)) === JSON.stringify(sorted(expected)), exchange, {
    expected: `${name} ${format(expected)}`,
    found: format(found),
  });
}

const failureIn = (exchange: Exchange): string => {
  const error = errorOf(exchange);
  return `status ${exchange.status}${error === undefined ? "" : ` ${String(error.type)}: ${String(error.message)}`}`;
};

/** A value in a few words. */
export const format = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 200 ? text : `${text.slice(0, 160)}... (${text.length} characters)`;
};

/** With the names of objects in alphabetical order: in JSON their order means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A field was at fault, and the error has an entry for it, or for something inside it. */
export function assertFieldError(response: Exchange, field: string): void {
  assertError(response, 422, "invalid_request");
  const { fields } = errorOf(response) ?? {};
  const names = isObject(fields) ? Object.keys(fields) : [];
  const isNamed = names.some((name) => name === field || name.startsWith(`${field}.`));
  assert(isNamed, response, { expected: `error.fields with an entry for ${field}`, found: format(fields) });
}

/** The response says that the client has to ask for something else. */
export function assertRejected(exchange: Exchange): void {
  assert(exchange.status >= 400 && exchange.status < 500, exchange, {
    expected: "a refusal with a status of 400 to 499",
    found: isSuccess(exchange)
      ? `status ${exchange.status}, ${format(exchange.json)}`
      : `status ${exchange.status}`,
  });
}

/**
 * The response to a key that was replaced is no sign that its overlap is over.
 * @throws NotVerified where it is, and an earlier run may have moved the clock so far
 */
export function skipIfOverlapEnded({ run }: Tester, { status }: Exchange): void {
  if (status === 401 && run.offset > 0)
    throw new NotVerified("keys.replaced may be over: the server's clock was moved on before the run.");
}
