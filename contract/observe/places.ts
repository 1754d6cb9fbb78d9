import { isObject, oncePer } from "../../lib/objects.ts";
import { count } from "../../lib/text.ts";
import { document, operationsOf, resolve, type Schema } from "../document.ts";
import { isTechnical } from "../generated-cases/boundaries.ts";
import { fieldOf, type Step } from "../generated-cases/case.ts";

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

/** The schemas within a response, once computed for each. */
export const placesOfResponse = oncePer((schema: Schema) => placesIn(schema));

/** What has a name: not the body itself, nor entries and values under any name. */
export const isNamed = ({ field }: Place): boolean => field !== "" && !field.endsWith("*");

/** What a body has at a place. */
export function valuesAt(value: unknown, [step, ...rest]: readonly Step[]): unknown[] {
  if (step === undefined) return [value];
  if (step === "[]") return Array.isArray(value) ? value.flatMap((entry) => valuesAt(entry, rest)) : [];
  if (!isObject(value)) return [];
  if (step === "{}") return Object.values(value).flatMap((one) => valuesAt(one, rest));
  return Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}

/** What limits are about, by the ends of their keywords. A size is NaN for a value of another type. */
const kinds: Record<string, { units?: [string, string]; sizeOf(value: unknown, limit: number): number }> = {
  Length: {
    units: ["character", "characters"],
    // A character has at most two UTF-16 code units: longer texts need not be counted.
    sizeOf: (value, limit) =>
      typeof value !== "string" ? Number.NaN : value.length > 2 * limit ? value.length : [...value].length,
  },
  Items: {
    units: ["entry", "entries"],
    sizeOf: (value) => (Array.isArray(value) ? value.length : Number.NaN),
  },
  Properties: {
    units: ["pair", "pairs"],
    sizeOf: (value) => (isObject(value) ? Object.keys(value).length : Number.NaN),
  },
  imum: { sizeOf: (value) => (typeof value === "number" ? value : Number.NaN) },
};

/**
 * Both sides of the limits that a place has, with labels such as `subject: 998 characters, accepted` and `subject: more than 998 characters,
 * rejected`. A side that no value can be on is left out, such as less than none.
 */
export const limitSides = ({ field, schema }: Pick<Place, "field" | "schema">) =>
  Object.entries(kinds).flatMap(([end, { units, sizeOf }]) =>
    ["max", "min"].flatMap((side) => {
      const limit = schema[side + end];
      if (typeof limit !== "number" || isTechnical(schema, side + end)) return [];
      const words = units === undefined ? String(limit) : count(limit, ...units);
      const at = {
        label: `${field}: ${words}, accepted`,
        isAccepted: true,
        matches: (value: unknown): boolean => sizeOf(value, limit) === limit,
      };
      const beyond = {
        label: `${field}: ${side === "max" ? "more" : "less"} than ${words}, rejected`,
        isAccepted: false,
        matches: (value: unknown): boolean =>
          side === "max" ? sizeOf(value, limit) > limit : sizeOf(value, limit) < limit,
      };
      return limit === 0 && side + end !== "minimum" ? [at] : [at, beyond];
    }),
  );

/** The properties of the request body of each operation in the document, by operation. */
export const bodyProperties: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...bodyPlaces].map(([id, places]) => [
    id,
    new Set(places.flatMap(({ steps, field }) => (steps.length === 1 ? [field] : []))),
  ]),
);
