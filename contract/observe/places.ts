import { isObject } from "../../lib/objects.ts";
import { count } from "../../lib/text.ts";
import { document, type OpenApiDocument, operationsOf, resolve, type Schema } from "../document.ts";
import { isTechnical } from "../generated-cases/boundaries.ts";
import { fieldOf, type Step } from "../generated-cases/case.ts";

/** A schema, and a value that it is for. */
export interface Place {
  /** Such as `emails.*.tags.*`; empty for the body itself. */
  field: string;
  schema: Schema;
  value: unknown;
}

/** In place of a value: has every property, and lists with one entry. */
export const everything = Symbol("everything");

/** The schemas that apply to a value and to what is in it, of all variants. Properties that the document does not have are left out. */
export function* placesIn(
  within: OpenApiDocument,
  given: Schema,
  value: unknown,
  steps: readonly Step[] = [],
): Generator<Place> {
  const schema = resolve<Schema>(within, given);
  yield { field: fieldOf(steps), schema, value };
  for (const variant of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    yield* placesIn(within, variant, value, steps);
  const { properties = {}, items, additionalProperties } = schema;
  for (const [name, inner] of Object.entries(properties))
    if (has(value, name)) yield* placesIn(within, inner, inValue(value, name), [...steps, name]);
  if (items !== undefined)
    for (const entry of entriesOf(value)) yield* placesIn(within, items, entry, [...steps, "[]"]);
  if (isObject(additionalProperties))
    for (const other of othersOf(value, properties))
      yield* placesIn(within, additionalProperties as Schema, other, [...steps, "{}"]);
}

const has = (value: unknown, name: string): boolean =>
  value === everything || (isObject(value) && Object.hasOwn(value, name));

const inValue = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : value);

const entriesOf = (value: unknown): readonly unknown[] =>
  value === everything ? [everything] : Array.isArray(value) ? value : [];

function othersOf(value: unknown, properties: object): readonly unknown[] {
  if (value === everything) return [everything];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, other]) => (Object.hasOwn(properties, name) ? [] : [other]));
}

const units = {
  Length: ["character", "characters"],
  Items: ["entry", "entries"],
  Properties: ["pair", "pairs"],
} as const;

const keywords = ["Length", "Items", "Properties"].flatMap((of) => [`max${of}`, `min${of}`]);
const allKeywords = [...keywords, "maximum", "minimum"];

/** One side of a limit: `subject: 998 characters, accepted`, or `subject: more than 998 characters, rejected`. */
interface LimitSide {
  label: string;
  isAccepted: boolean;
  /** Whether a value is on this side. */
  matches(value: unknown): boolean;
}

/** Both sides of the limits that a place has. A side that no value can be on is left out, such as less than none. */
export function limitSides({ field, schema }: Place): LimitSide[] {
  return allKeywords.flatMap((keyword) => {
    const limit = schema[keyword];
    if (typeof limit !== "number" || isTechnical(schema, keyword)) return [];
    const isMaximum = keyword.startsWith("max");
    const size = (value: unknown): number => sizeOf(keyword, value, limit);
    const words = amount(keyword, limit);
    const at: LimitSide = {
      label: `${field}: ${words}, accepted`,
      isAccepted: true,
      matches: (value) => size(value) === limit,
    };
    const beyond: LimitSide = {
      label: `${field}: ${isMaximum ? "more" : "less"} than ${words}, rejected`,
      isAccepted: false,
      matches: (value) => (isMaximum ? size(value) > limit : size(value) < limit),
    };
    return limit === 0 && keyword !== "minimum" ? [at] : [at, beyond];
  });
}

function amount(keyword: string, limit: number): string {
  const unit = units[keyword.slice(3) as keyof typeof units];
  return unit === undefined ? String(limit) : count(limit, unit[0], unit[1]);
}

/** NaN for a value of another type. */
function sizeOf(keyword: string, value: unknown, limit: number): number {
  if (typeof value === "number") return keyword.endsWith("imum") ? value : Number.NaN;
  if (typeof value === "string") return keyword.endsWith("Length") ? lengthOf(value, limit) : Number.NaN;
  if (Array.isArray(value)) return keyword.endsWith("Items") ? value.length : Number.NaN;
  const isPairs = typeof value === "object" && value !== null && keyword.endsWith("Properties");
  return isPairs ? Object.keys(value).length : Number.NaN;
}

/** In characters, as in JSON Schema. A character has at most two UTF-16 code units: longer texts need not be counted. */
const lengthOf = (text: string, limit: number): number =>
  text.length > 2 * limit ? text.length : [...text].length;

/** The properties of the request body of each operation in the document, by operation. */
export const bodyProperties: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  operationsOf(document).flatMap(({ id, body }) => {
    if (body === undefined) return [];
    const fields = [...placesIn(document, body, everything)].map(({ field }) => field);
    return [[id, new Set(fields.filter((field) => field !== "" && !/[.*]/.test(field)))]];
  }),
);
