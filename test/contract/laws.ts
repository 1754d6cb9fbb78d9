import { type AnswerExample, isSuccess } from "./answers.ts";
import { must } from "./broken.ts";
import type { Exchange } from "./call.ts";
import { firstDifference } from "./difference.ts";
import { faults, inWords, placeOf } from "./faults.ts";
import { settings } from "./settings.ts";

/** The status is the documented one, and the body keeps to its schema; of a mock, it is the very example asked for. */
export function isAsDocumented(
  exchange: Exchange,
  { operation, key, status, example, value }: AnswerExample,
): void {
  const open = settings.profile !== "mock" && key.endsWith("XX");
  must(open ? isSuccess(exchange) : exchange.status === status, exchange, {
    expected: `status ${open ? key : status}`,
    found: `status ${exchange.status}`,
  });
  const found = faults("body", exchange, operation, key);
  must(found.length === 0, exchange, {
    expected: `the body that the document describes for ${key}`,
    found: inWords(found),
  });
  if (settings.profile !== "mock") return;
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
