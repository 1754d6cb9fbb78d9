import { isObject } from "../../lib/objects.ts";
import { count } from "../../lib/text.ts";
import { document, operationsOf, resolve, type Schema } from "../document.ts";
import { isTechnical } from "../generated-cases/boundaries.ts";
import { fieldOf, type Step } from "../generated-cases/case.ts";

/** A schema within a request. */
export interface Place {
  /** Such as `emails.*.tags.*`; empty for the body itself. */
  field: string;
  steps: readonly Step[];
  schema: Schema;
}

/** A schema and all that it leads to, of all variants. */
function placesIn(given: Schema, steps: readonly Step[] = []): Place[] {
  const schema = resolve<Schema>(document, given);
  const { properties = {}, items, additionalProperties: others, oneOf = [], anyOf = [] } = schema;
  return [
    { field: fieldOf(steps), steps, schema },
    ...[...oneOf, ...anyOf].flatMap((variant) => placesIn(variant, steps)),
    ...Object.entries(properties).flatMap(([name, inner]) => placesIn(inner, [...steps, name])),
    ...(items === undefined ? [] : placesIn(items, [...steps, "[]"])),
    ...(isObject(others) ? placesIn(others as Schema, [...steps, "{}"]) : []),
  ];
}

/** The schemas within the request body of each operation that has one. */
export const bodyPlaces: ReadonlyMap<string, readonly Place[]> = new Map(
  operationsOf(document).flatMap(({ id, body }) => (body === undefined ? [] : [[id, placesIn(body)]])),
);

/** What a body has at a place. */
export function valuesAt(value: unknown, [step, ...rest]: readonly Step[]): unknown[] {
  if (step === undefined) return [value];
  if (step === "[]") return Array.isArray(value) ? value.flatMap((entry) => valuesAt(entry, rest)) : [];
  if (!isObject(value)) return [];
  if (step === "{}") return Object.values(value).flatMap((one) => valuesAt(one, rest));
  return Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
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
export function limitSides({ field, schema }: Pick<Place, "field" | "schema">): LimitSide[] {
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
  [...bodyPlaces].map(([id, places]) => [
    id,
    new Set(places.flatMap(({ steps, field }) => (steps.length === 1 ? [field] : []))),
  ]),
);
