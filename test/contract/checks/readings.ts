import { isObject } from "../cases/place.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import type { TestCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { bodyOf, format, requestOk } from "./kit.ts";

const read = { lists: "listNewsletterLists", fields: "listCustomFields" } as const;
type Name = keyof typeof read;

/** What an account has, read once in the run. */
export const once = (tester: Tester, name: Name): Promise<Exchange> =>
  tester.once(`the ${name} of the account`, (own) => requestOk(own, read[name]));

/** The entries of an answer. */
export function entriesIn(exchange: Exchange, name: Name): Record<string, unknown>[] {
  const { [name]: entries } = bodyOf(exchange);
  assert(Array.isArray(entries), exchange, { expected: `${name}, an array`, found: format(entries) });
  // What is no entry has none of its properties.
  return entries.map((entry): Record<string, unknown> => (isObject(entry) ? entry : {}));
}

/** Every entry has a property of some kind. */
export const each = (name: Name, property: string, isSo: (value: unknown) => boolean): TestCase["run"] => {
  return async (tester) => {
    const exchange = await once(tester, name);
    const entries = entriesIn(exchange, name);
    if (entries.length === 0) throw new NotVerified(`The account has no ${name}.`);
    const wrong = entries.find(({ [property]: value }) => !isSo(value));
    assert(wrong === undefined, exchange, { expected: `${property} in every entry`, found: format(wrong) });
  };
};

export const isText = (value: unknown): boolean => typeof value === "string";
/** The types of custom fields. */
export const types = ["text", "number", "date", "url"] as const;

/** The custom field of a type that is configured, as the account has it. */
export async function fieldOf(
  tester: Tester,
  type: (typeof types)[number],
): Promise<Record<string, unknown>> {
  const exchange = await once(tester, "fields");
  const key = tester.settings.fixtures.fields?.[type];
  const found = entriesIn(exchange, "fields").find((field) => field.key === key);
  assert(found !== undefined, exchange, { expected: `the custom field ${key}`, found: "no such field" });
  return found;
}
