import type { OperationId } from "../../generated/operations.ts";
import { isObject } from "../../lib/objects.ts";
import { valueAt } from "../../scripts/document/json-pointer.ts";
import { differenceOf, isSame } from "../difference.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { Unreachable } from "../engine/http.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, errorOf, isSuccess, namedFields, type RequestOptions } from "../exchange.ts";
import { contrasted } from "../text.ts";

export type Json = Record<string, unknown>;

/** Sends a request and requires success, unless the response is unknown. */
export async function requestOk(
  tester: Tester,
  operation: OperationId,
  options: RequestOptions = {},
  expected = "success",
) {
  const exchange = await tester.request(operation, options);
  if (!tester.isUnknown(operation)) assertSuccess(exchange, expected);
  return exchange;
}

export const idOf = (exchange: Exchange): string => {
  const { id } = bodyOf(exchange);
  assert(typeof id === "string" && id !== "", exchange, { expected: "id with a text", found: format(id) });
  return id;
};

/** The body of a response, which must be an object. */
export function bodyOf(exchange: Exchange): Json {
  const { json } = exchange;
  assert(isObject(json), exchange, { expected: "an object as the body", found: format(json) });
  return json;
}

/** The objects of an array in the body of a response. An entry of another type has no properties. */
export function entriesIn(exchange: Exchange, name: string): Json[] {
  const { [name]: entries } = bodyOf(exchange);
  assert(Array.isArray(entries), exchange, { expected: `an array in ${name}`, found: format(entries) });
  return entries.map((entry): Json => (isObject(entry) ? entry : {}));
}

export const assertSuccess = (exchange: Exchange, expected = "success"): void =>
  assert(isSuccess(exchange), exchange, { expected, found: failureIn(exchange) });

/** Asserts one of these status codes, with a body of any kind. */
export const assertStatusCode = (exchange: Exchange, ...statuses: readonly number[]): void =>
  assert(statuses.includes(exchange.status), exchange, {
    expected: `status ${statuses.join(" or ")}`,
    found: `status ${exchange.status}`,
  });

/**
 * Asserts an error with this status (or one of these) and type, whose `error.fields` names no other property of the request
 * than the faulty ones.
 * @param faulty the properties that caused the error, as in `error.fields`
 */
export function assertError(
  exchange: Exchange,
  status: number | readonly number[],
  type: string,
  ...faulty: string[]
): void {
  const statuses = [status].flat();
  assert(statuses.includes(exchange.status) && errorOf(exchange)?.type === type, exchange, {
    expected: `${statuses.join(" or ")} ${type}`,
    found: isSuccess(exchange) ? `status ${exchange.status}` : failureIn(exchange),
  });
  // A conflict is about the whole body.
  if (type !== "idempotency_conflict") assertNoValidField(exchange, faulty);
}

/** Asserts that `error.fields` names no other property of the request's body than the faulty ones. */
export function assertNoValidField(exchange: Exchange, faulty: readonly string[]): void {
  const { body } = exchange.request;
  const sent = isObject(body) ? Object.keys(body) : [];
  const valid = namedFields(exchange).find(
    (name) => sent.some((one) => isWithin(name, one)) && !faulty.some((one) => isWithin(name, one)),
  );
  assert(valid === undefined, exchange, {
    expected: `error.fields without ${valid}, which is valid`,
    found: format(errorOf(exchange)?.fields),
  });
}

/**
 * The response to a request after the hook `failNext`. A success with an error object is not the hook's fault.
 * @throws Unreachable if the hook had no effect
 */
export function assertFailNextWorked(exchange: Exchange): Exchange {
  if (isSuccess(exchange) && errorOf(exchange) === undefined)
    throw new Unreachable(
      `hooks.failNext had no effect: the next request, ${exchange.request.method} ${exchange.request.path}, returned ${exchange.status}.`,
    );
  return exchange;
}

export function assertEqual(exchange: Exchange | undefined, name: string, found: unknown, expected: unknown) {
  assert(isSame(found, expected), exchange, {
    expected: `${name} ${format(expected, found)}`,
    found: format(found, expected),
  });
}

export const assertProperty = (exchange: Exchange, name: string, expected: unknown): void =>
  assertEqual(exchange, name, bodyOf(exchange)[name], expected);

const failureIn = (exchange: Exchange): string => {
  const error = errorOf(exchange);
  return `status ${exchange.status}${error === undefined ? "" : ` ${String(error.type)}: ${String(error.message)}${sizeIn(exchange)}`}`;
};

/** How large a body is that is too large, or a long property that an error names: a server may count the limit in another way. */
function sizeIn({ request, json, status }: Exchange): string {
  if (status === 413) return ` (a body of ${Buffer.byteLength(JSON.stringify(request.body ?? ""))} bytes)`;
  const [name = ""] = namedFields({ json });
  const value = valueAt(request.body, name.split("."));
  if (typeof value === "string" && value.length > 40)
    return ` (${name} has ${[...value].length} characters, ${Buffer.byteLength(value)} bytes)`;
  const { length } = Object.keys(typeof value === "object" ? (value ?? {}) : {});
  return length >= 10 ? ` (${name} has ${length} entries)` : "";
}

/** A value for a message, shortened to the part that differs from another one, if it is compared with one. */
export const format = (value: unknown, other: unknown = value): string => {
  const text = JSON.stringify(value) ?? "nothing";
  if (text.length <= 200) return text;
  const difference = differenceOf(value, other);
  if (difference === undefined) return `${text.slice(0, 160)}... (${text.length} characters)`;
  const name = difference.at.slice(1).replaceAll("/", ".");
  return `${name && `${name} `}${contrasted(difference.one, difference.other)}`;
};

/** The names in `error.fields`, for a message. */
export const entriesText = (names: readonly string[]): string =>
  names.length === 0 ? "no entries" : `entries for ${names.join(", ")}`;

/** Whether a name in `error.fields` is that of a property or something inside it. */
export const isWithin = (name: string, field: string): boolean =>
  name === field || name.startsWith(`${field}.`);

/** Asserts a 422 whose `error.fields` names one of these properties, or something inside it, and no other. */
export function assertFieldError(exchange: Exchange, ...faulty: [string, ...string[]]): void {
  assertError(exchange, 422, "invalid_request", ...faulty);
  const names = namedFields(exchange);
  const isNamed = names.some((name) => faulty.some((one) => isWithin(name, one)));
  assert(isNamed, exchange, {
    expected: `error.fields with an entry for ${eitherOf(exchange, faulty)}`,
    found: entriesText(names),
  });
  assertNoOtherField(exchange, faulty);
}

/** Asserts that `error.fields`, if there is one, names nothing but these properties or something inside them. */
export function assertNoOtherField(exchange: Exchange, faulty: readonly string[]): void {
  const other = namedFields(exchange).find((name) => !faulty.some((one) => isWithin(name, one)));
  assert(other === undefined, exchange, {
    expected: `error.fields with entries for ${eitherOf(exchange, faulty)} alone`,
    found: `an entry for ${other}`,
  });
}

/** Names for a message, without those that only a batch has. */
const eitherOf = ({ request }: Exchange, names: readonly string[]): string =>
  names.filter((name) => request.operation !== "sendEmail" || !name.startsWith("emails.")).join(" or ");

/** Asserts a client error of any status, whose `error.fields` names nothing but these properties, if any are given. */
export function assertRejected(exchange: Exchange, ...faulty: string[]): void {
  const { status, json } = exchange;
  const found = `status ${status}${isSuccess(exchange) ? `, ${format(json)}` : ""}`;
  assert(status >= 400 && status < 500, exchange, { expected: "a status from 400 to 499", found });
  if (faulty.length > 0) assertNoOtherField(exchange, faulty);
}

/** Asserts a client error of any status and type, with the error object. */
export function assertClientError(exchange: Exchange, ...faulty: string[]): void {
  assertRejected(exchange, ...faulty);
  assert(typeof errorOf(exchange)?.type === "string", exchange, {
    expected: "the error object",
    found: format(exchange.json ?? exchange.text),
  });
}

/**
 * A 401 for the replaced key may mean that its overlap has ended.
 * @throws NotVerified if the clock may have been moved that far
 */
export function skipIfOverlapEnded({ run }: Tester, { status }: Exchange): void {
  if (status === 401 && run.offset + run.advanced > 0)
    throw new NotVerified("The overlap of keys.replaced may have ended: the server's clock was moved.");
}
