import { isObject } from "../cases/place.ts";
import { assert } from "../engine/assert.ts";
import { type Exchange, errorOf, isSuccess } from "../engine/exchange.ts";
import { assertError, format } from "./kit.ts";

/** A field was at fault, and the error has an entry for it, or for something inside it. */
export function refusedFor(answer: Exchange, field: string): void {
  assertError(answer, 422, "invalid_request");
  const { fields } = errorOf(answer) ?? {};
  const names = isObject(fields) ? Object.keys(fields) : [];
  const isNamed = names.some((name) => name === field || name.startsWith(`${field}.`));
  assert(isNamed, answer, { expected: `error.fields with an entry for ${field}`, found: format(fields) });
}

/** The answer says that the client has to ask for something else. */
export function isRefused(exchange: Exchange): void {
  assert(exchange.status >= 400 && exchange.status < 500, exchange, {
    expected: "a refusal with a status of 400 to 499",
    found: isSuccess(exchange)
      ? `status ${exchange.status}, ${format(exchange.json)}`
      : `status ${exchange.status}`,
  });
}
