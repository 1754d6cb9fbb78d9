import fc, { type Arbitrary } from "fast-check";
import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { isObject, oncePer } from "../../../lib/objects.ts";
import { document, resolve, type Schema } from "../../document.ts";
import { isTechnical } from "../../generated-cases/boundaries.ts";
import * as hostile from "../../generated-cases/hostile-values.ts";
import { documentedSuccesses } from "../../response-checks/documented.ts";
import { tested } from "./samples.ts";
import values from "./values.json" with { type: "json" };

const own = values.generated;

/** Bodies of an operation in each of its forms, and the characters of all of them, at most. */
const [mostBodies, mostCharacters] = [60, 1_500_000];
/** Entries of an array or an object, now and then as many as a batch may have, and characters of a text, without a limit of the service. */
const [usualEntries, manyEntries, usualLength] = [8, limits.batchMessages, 998];

/** The same values in each run. */
const sample = <Value>(arbitrary: Arbitrary<Value>): Value =>
  fc.sample(arbitrary, { numRuns: 1, seed: 1 })[0] as Value;

const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** In an order that is not that of any sort. */
const recipients = Array.from({ length: 40 }, (_, index) => `r${(index * 37) % 101}`);
const locals = [...sample(hostile.localParts), ...recipients];
const emails = [...own.emails, ...locals.map((local) => `${local}@readers.example`)];
const names = [...sample(hostile.tagNames), ...own.names];
const times = [...own.times, ...sample(hostile.times(Date.UTC(2027, 1, 21, 7, 30)))];
const dates = [...sample(hostile.dates), ...sample(hostile.urls)];

/** Texts without the empty one, whose meaning is unspecified. */
function textsOf({ format, contentEncoding, maxLength = usualLength, ...schema }: Schema): readonly string[] {
  if (format === "email") return emails;
  if (format === "date-time") return schema["x-utc-offset"] === "zero" ? own.utcTimes : times;
  if (contentEncoding === "base64") return own.base64;
  return [...sample(hostile.texts(Math.min(Number(maxLength), usualLength))), ...own.texts, ...dates];
}

/** Whether a text, or a name, is valid for its schema. */
function isValid({ maxLength = Number.POSITIVE_INFINITY, pattern, not }: Schema, text: string): boolean {
  const matches = (one: unknown) => new RegExp(String(one), "u").test(text);
  if (isObject(not) && matches(not.pattern)) return false;
  return Array.from(text).length <= Number(maxLength) && (pattern === undefined || matches(pattern));
}

/** The values of a schema without parts. */
const poolOf = oncePer((schema: Schema): readonly unknown[] => {
  const listed = schema.enum ?? schema["x-extensible-enum"];
  if (Array.isArray(listed)) return listed;
  if ("const" in schema) return [schema.const];
  if (schema.type === "boolean") return [true, false];
  if (schema.type === "integer") return own.integers;
  if (schema.type === "number") return sample(hostile.numbers);
  return textsOf(schema).filter((text) => isValid(schema, text));
});

/**
 * A valid value of a schema.
 * @param turn which of its values: another one in each property, entry and turn
 * @param isSmall whether objects have required properties only
 */
function valueIn(given: Schema, turn: number, isSmall: boolean): unknown {
  const schema = resolve<Schema>(document, given);
  const { oneOf = [], anyOf = oneOf, type, items, properties, additionalProperties: inner } = schema;
  // What an alternative has in one turn, the next one does not have in the next.
  if (anyOf.length > 0)
    return valueIn(at(anyOf, turn), Math.floor(turn / anyOf.length) + 7 * (turn % anyOf.length), isSmall);
  if (type === "null" || (Array.isArray(type) && turn % 5 === 4)) return null;
  const most = (keyword: "maxItems" | "maxProperties"): number =>
    isTechnical(schema, keyword) ? (turn % 20 === 0 ? manyEntries : usualEntries) : Number(schema[keyword]);
  if (items !== undefined)
    return Array.from({ length: most("maxItems") }, (_, index) =>
      valueIn(items, turn + index, index % 4 > 1),
    );
  if (properties !== undefined) return objectOf(schema, turn, isSmall);
  if (!isObject(inner)) return type === "object" ? {} : at(poolOf(schema), turn);
  const nameSchema = resolve<Schema>(document, schema.propertyNames ?? {});
  const valid = names.filter((name) => isValid(nameSchema, name));
  const length = most("maxProperties");
  return Object.fromEntries(
    // Other names in each turn.
    Array.from({ length }, (_, index) => [
      at(valid, turn * length + index),
      valueIn(inner, turn + 7 * index, isSmall),
    ]),
  );
}

function objectOf(schema: Schema, turn: number, isSmall: boolean): Record<string, unknown> {
  const { required = [], then, else: otherwise } = schema as Schema & { then?: Schema; else?: Schema };
  // Of a full object the condition is true, of a small one its opposite.
  const small = new Set([...required, ...(then?.required ?? []), ...(otherwise?.required ?? [])]);
  const properties = { ...schema.properties, ...(!isSmall && then?.properties) };
  const all = Object.entries(properties).filter(([name]) => !isSmall || small.has(name));
  return Object.fromEntries(
    all.map(([name, inner], index) => [name, valueIn(inner, turn + 7 * index, isSmall)]),
  );
}

/** Bodies of a schema, the last one as small as possible. Of long ones, there are few. */
function bodiesOf(schema: Schema | undefined): unknown[] {
  if (schema === undefined) return [];
  const small = valueIn(schema, 0, true);
  const most = Math.ceil(mostCharacters / JSON.stringify(valueIn(schema, 0, false)).length);
  const { oneOf = [schema] } = resolve<Schema>(document, schema);
  const turns = [...Array(Math.min(most, mostBodies * oneOf.length)).keys()];
  const bodies = [...turns.map((turn) => valueIn(schema, turn, false)), small];
  return [...new Map(bodies.map((body) => [JSON.stringify(body), body])).values()];
}

/** Valid bodies of an operation with the values that software changes by mistake. */
export const generatedRequests = (operation: OperationId): unknown[] => bodiesOf(tested.get(operation)?.body);

/** The same for its successful response. */
export const generatedResponses = (operation: OperationId): unknown[] =>
  bodiesOf(documentedSuccesses(operation)[0]?.content?.["application/json"]?.schema);
