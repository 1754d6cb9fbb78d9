import { UserError } from "../../../lib/user-error.ts";
import type { Schema } from "../../document/types.ts";
import { code, either } from "../text/markdown.ts";

/** The value of a number with thousands separators. */
const formatNumber = (value: unknown): string => Number(value).toLocaleString("en-US");

/** A limit: `120 requests per minute`. */
export const amount = (value: number | undefined, unit = ""): string =>
  value === undefined ? "unspecified" : `${formatNumber(value)} ${unit}`.trim();

function range(least: unknown, most: unknown, singular = "", plural = `${singular}s`): string | undefined {
  const upper = most ?? least;
  const unit = singular === "" ? "" : ` ${Number(upper) === 1 ? singular : plural}`;
  if (upper === undefined) return undefined;
  const [from, to] = [formatNumber(least), `${formatNumber(upper)}${unit}`];
  if (least === undefined) return `at most ${to}`;
  if (most === undefined) return `at least ${to}`;
  return least === most ? `exactly ${to}` : `${from} to ${to}`;
}

const values = (list: unknown[]): string => either(list.map((value) => code(JSON.stringify(value))));

const oneOf = (list: unknown[]): string => `${list.length === 1 ? "always" : "one of"} ${values(list)}`;

/** Describes each keyword, or a pair of keywords under the first of them. */
const phrases: Record<string, (schema: Schema) => string | undefined> = {
  minLength: ({ minLength, maxLength }) => range(minLength, maxLength, "character"),
  minItems: ({ minItems, maxItems }) => range(minItems, maxItems, "item"),
  minProperties: ({ minProperties, maxProperties }) =>
    range(minProperties, maxProperties, "property", "properties"),
  minimum: ({ minimum, maximum }) => range(minimum, maximum),
  pattern: ({ pattern }) => `matches ${code(String(pattern))}`,
  contentEncoding: ({ contentEncoding }) => `encoded as ${String(contentEncoding)}`,
  // A list in the description has the values, each with what it means.
  enum: ({ enum: list, description = "" }) =>
    description.includes("\n- `") ? undefined : oneOf(list as unknown[]),
  const: (schema) => `always ${values([schema.const])}`,
  "x-extensible-enum": (schema) =>
    `known values: ${values(schema["x-extensible-enum"] ?? [])}; new values can be added`,
  default: (schema) => `default: ${values([schema.default])}`,
  not: describeConditions,
};

/** Keywords that another keyword's phrase covers. */
const coveredBy: Record<string, string> = {
  maxLength: "minLength",
  maxItems: "minItems",
  maxProperties: "minProperties",
  maximum: "minimum",
  if: "not",
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: "not",
  else: "not",
};

/** Keywords that are shown elsewhere: in the type, the description, the notes on requirements, or as fields; and names for generators. */
const shownElsewhere = new Set(
  "type format title description properties required items oneOf anyOf additionalProperties propertyNames x-technical-limit x-encodes x-leaves-unspecified x-prefix x-utc-offset x-variant-by-request x-enum-varnames".split(
    " ",
  ),
);

/** The bounds that `x-technical-limit: true` is about: of a size, only the upper one. */
const technicalBounds: unknown[] = ["maxLength", "maxItems", "maxProperties", "minimum", "maximum"];

/**
 * What a schema requires of a value, a phrase each; bounds that are technical limits (`x-technical-limit`) apart.
 * @throws UserError for a keyword without a phrase: the reference omits nothing silently
 */
export function constraintsOf(schema: Schema) {
  const { "x-technical-limit": mark } = schema;
  const technical = mark === true ? technicalBounds : [mark];
  const { rules = [], limits = [] } = Object.groupBy(Object.entries(schema), ([keyword]) =>
    technical.includes(keyword) ? "limits" : "rules",
  );
  const phrasesOf = (entries: [string, unknown][]): string[] => {
    const part = Object.fromEntries(entries) as Schema;
    return [...describedKeywords(part)].flatMap((key) => phrases[key]?.(part) ?? []);
  };
  return { rules: phrasesOf(rules), technicalLimits: phrasesOf(limits) };
}

function describedKeywords(schema: Schema): Set<string> {
  const keywords = new Set<string>();
  for (const [keyword, value] of Object.entries(schema)) {
    const key = coveredBy[keyword] ?? keyword;
    const isClosed = keyword === "additionalProperties" && value === false;
    if (isClosed || (phrases[key] === undefined && !shownElsewhere.has(key)))
      throw new UserError(`the reference cannot describe the keyword ${keyword}`, {
        hint: `Describe it in scripts/docs/schema/constraints.ts. Found in: ${JSON.stringify(schema).slice(0, 200)}`,
      });
    if (phrases[key] !== undefined) keywords.add(key);
  }
  return keywords;
}

/**
 * Describes `not`, and `if` with `then`: fields that exclude or require each other, or what a text must not contain.
 *
 * A condition that the request decides is shown as two variants of the fields (fields.ts).
 * @throws UserError for any other form of condition
 */
function describeConditions(schema: Schema): string | undefined {
  const { not, if: condition, then: consequence, else: alternative } = schema;
  const phrases: string[] = [];
  if (condition !== undefined && schema["x-variant-by-request"] === undefined) {
    if (alternative !== undefined) throw unknown({ else: alternative });
    const missing = requiredFields(((condition as Schema).not ?? {}) as Schema);
    phrases.push(`requires ${names(requiredFields(consequence as Schema))} if ${names(missing)} is missing`);
  }
  if (not !== undefined) phrases.push(exclusion(not as Schema));
  return phrases.join("; ") || undefined;
}

function exclusion(not: Schema): string {
  const { pattern, ...others } = not;
  if (pattern !== undefined && Object.keys(others).length === 0)
    return `must not match ${code(String(pattern))}`;
  return `must not have ${names(requiredFields(not))}`;
}

const names = (fields: string[]): string => either(fields.map(code));

/** The fields of `{ required: [a] }`, or of `{ anyOf: [{ required: [a] }, ...] }`. */
function requiredFields(schema: Schema): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(requiredFields);
  const [keyword, ...others] = Object.keys(schema).filter((key) => !key.startsWith("x-"));
  if (schema.required?.length === 1 && keyword === "required" && others.length === 0) return schema.required;
  throw unknown(schema);
}

const unknown = (condition: Schema): UserError =>
  new UserError(`the reference cannot describe the condition ${JSON.stringify(condition)}`, {
    hint: "Describe it in scripts/docs/schema/constraints.ts.",
  });
