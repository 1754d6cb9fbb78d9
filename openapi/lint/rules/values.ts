import { attempted } from "../../../lib/objects.ts";
import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { limitsAt } from "../../../scripts/document/limits.ts";
import { follow, resolveSchema } from "../../../scripts/document/references.ts";
import { requirementRows } from "../../../scripts/document/requirements.ts";
import { maximums, minimums } from "../../../scripts/document/schema-forms.ts";
import { keywordsIn, parameters, schemas } from "../../../scripts/document/schemas.ts";
import {
  isNode,
  listOf,
  type Node,
  nodeOf,
  type Path,
  textOf,
  textsOf,
} from "../../../scripts/document/values.ts";
import { finding, type Rule, ruleForEach } from "../rule.ts";

export const mapsBounded = ruleForEach(schemas, {
  description: "Every object with arbitrary property names has maxProperties.",
  *check({ schema, name }) {
    const open = isNode(schema.additionalProperties) || isNode(schema.patternProperties);
    if (open && schema.maxProperties === undefined)
      yield `Add maxProperties to ${name}, with x-technical-limit: true if the service specifies no limit.`;
  },
});

export const stringsBounded = ruleForEach(schemas, {
  description: "Every string has maxLength, a fixed set of values or format: date-time.",
  *check({ schema, name, condition }) {
    if (condition || !textsOf(schema.type).includes("string")) return;
    // The rule date-times-plain forbids a length here.
    if (schema.format === "date-time") return;
    if (["maxLength", "enum", "const"].every((keyword) => schema[keyword] === undefined))
      yield `Add maxLength to ${name}, with x-technical-limit: true if the service specifies no limit.`;
  },
});

/**
 * A bound is a requirement if a row of x-limits points to it; otherwise it must be marked as a technical limit.
 * A lower bound needs no mark beside an upper bound that is a limit.
 */
export const boundsAreLimits = ruleForEach(schemas, {
  description: "Every bound is a row of x-limits or is marked as a technical limit.",
  *check({ path, schema, name, condition }, document) {
    const bounds = [...maximums, ...minimums].filter((keyword) => schema[keyword] !== undefined);
    if (condition || bounds.length === 0) return;
    const limits = limitsAt(document, path);
    const technical = schema["x-technical-limit"] === true;
    if (technical && limits[0] !== undefined)
      yield `Remove x-technical-limit from ${name}: its ${limits[0].keyword} is the limit ${limits[0].name}.`;
    const loose = bounds.filter((keyword) =>
      maximums.includes(keyword) ? limits.every((limit) => limit.keyword !== keyword) : limits.length === 0,
    );
    if (!technical && loose.length > 0)
      yield `Point a row of x-limits to ${loose.join(" and ")} of ${name}, or mark it with x-technical-limit: true.`;
  },
});

export const dateTimesPlain = ruleForEach(keywordsIn("pattern", "minLength", "maxLength"), {
  description:
    "A date-time has no pattern and no length: clients in several languages apply them to a parsed time and fail.",
  *check({ keyword, schema, name }) {
    if (schema.format === "date-time")
      yield `Remove ${keyword} from ${name}: format: date-time and x-utc-offset say all.`;
  },
});

export const timestamps = ruleForEach(schemas, {
  description: "A time (at, ..._at) is a date-time: with an offset in requests, in UTC in responses.",
  *check({ schema, property, name, condition, uses }, document) {
    if (condition || property === undefined || !/(^|_)at$/.test(property)) return;
    const { type, format, "x-utc-offset": offset } = resolveSchema(document, schema);
    if (!textsOf(type).includes("string") || format !== "date-time")
      yield `Make ${name} a string with format: date-time.`;
    else if (uses.has("response") && offset !== "zero")
      yield `Add x-utc-offset: zero to ${name}: times in responses are in UTC.`;
    else if (uses.has("request") && !uses.has("response") && offset !== "any")
      yield `Add x-utc-offset: any to ${name}: times in requests have any offset, but must have one.`;
  },
});

const formats: Record<string, string[]> = { number: ["float", "double"], integer: ["int32", "int64"] };

export const numberFormats = ruleForEach(schemas, {
  description: "A number has a format: without one, some languages use 32 bits.",
  *check({ schema, name, condition }) {
    if (condition) return;
    for (const type of textsOf(schema.type)) {
      const known = formats[type];
      if (known !== undefined && !known.includes(textOf(schema.format)))
        yield `Add format: ${known.join(" or ")} to ${name}.`;
    }
  },
});

/** Validators compile patterns with the `u` flag; some silently disable validation if one does not compile. */
const compiles = (pattern: string): boolean => attempted(() => new RegExp(pattern, "u")) !== undefined;

/** Whether the whole pattern is between ^ and $: some languages search for a pattern, others match the whole text. */
const isAnchored = (pattern: string): boolean =>
  /^\^.*\$$/.test(pattern) && !/\\\$$/.test(pattern) && !hasOuterAlternatives(pattern);

/** Whether the pattern has a | outside of groups and classes. */
const hasOuterAlternatives = (pattern: string): boolean => {
  let flat = pattern.replaceAll(/\\./g, "").replaceAll(/\[[^\]]*\]/g, "");
  while (/\([^()]*\)/.test(flat)) flat = flat.replaceAll(/\([^()]*\)/g, "");
  return flat.includes("|");
};

/** Lookarounds and back-references, which RE2 lacks, and classes that mean other characters in each language. */
const differing = /\(\?[^:]|\\(?![tnrf\\^$.|?*+()[\]{}/-])./;

export const patternsPortable = ruleForEach(keywordsIn("pattern"), {
  description:
    "Patterns are anchored, in ASCII, and use only what means the same in JavaScript, Python, Java and RE2.",
  *check({ value: pattern, name }) {
    if (typeof pattern !== "string") return;
    if (!compiles(pattern))
      return yield `Correct the pattern of ${name}: it is not a regular expression with the flag u.`;
    if (/[^\x20-\x7e]/.test(pattern)) yield `Use only ASCII in the pattern of ${name}.`;
    if (!isAnchored(pattern)) yield `Begin the pattern of ${name} with ^ and end it with $.`;
    if (differing.test(pattern.replaceAll("[\\s\\S]", ".")))
      yield `Use plain classes such as [0-9] in the pattern of ${name}, without lookarounds and \\d, \\s, \\w.`;
  },
});

const isId = (name: string | undefined): boolean => /(^|_)id$/.test(name ?? "");

const ids = (document: Node): { path: Path; schema: Node; name: string }[] => [
  ...schemas(document).filter(({ property }) => isId(property)),
  ...parameters(document)
    .filter(({ value }) => isId(textOf(value.name)))
    .map(({ path, value, name }) => ({ path, schema: nodeOf(value.schema), name })),
];

/** Whether the pattern is just the prefix (`x-prefix`), and a requirement that the schema encodes names that prefix. */
function isSpecifiedPrefix(document: Node, schema: Node, pattern: unknown): boolean {
  const places = [schema, follow(document, [], schema).value];
  const prefix = places.map((place) => textOf(place["x-prefix"])).find((text) => text !== "");
  if (prefix === undefined || pattern !== `^${prefix}.*$`) return false;
  const encoded = places.flatMap((place) => textsOf(place["x-encodes"]));
  return requirementRows(document).some(
    ({ row }) => encoded.includes(textOf(row.id)) && textOf(row.text).includes(prefix),
  );
}

export const idsOpaque = ruleForEach(ids, {
  description:
    "Ids are opaque: their schema has no constraint but a prefix (x-prefix) that a requirement names.",
  *check({ schema, name }, document) {
    const resolved = resolveSchema(document, schema);
    if (!textsOf(resolved.type).includes("string")) return;
    for (const keyword of ["pattern", "format", "minLength", "enum", "const"]) {
      const value = resolved[keyword];
      if (value === undefined || (keyword === "pattern" && isSpecifiedPrefix(document, schema, value)))
        continue;
      yield `Remove ${keyword} from ${name}: ids are opaque, apart from a prefix that a requirement names.`;
    }
  },
});

const names = "x-enum-varnames";

/** What generators name the constants of an enum after. */
const constantsOf = (schema: Node): unknown[] => listOf(schema[names] ?? schema.enum);

export const enumNamesDistinct = ruleForEach(schemas, {
  description: "No two enums have a constant of the same name: in Go, for example, they share one namespace.",
  *check({ path, schema, name }, document) {
    const constants = constantsOf(schema);
    if (constants.length !== listOf(schema.enum).length)
      yield finding([...path, names], `List one name for each value of ${name} in ${names}.`);
    for (const other of schemas(document)) {
      if (other.schema === schema) continue;
      const shared = constants.filter((constant) => constantsOf(other.schema).includes(constant));
      if (shared.length > 0)
        yield `Name the values of ${name} or ${other.name} with ${names}: both have ${shared.join(" and ")}.`;
    }
  },
});

/** Enums to which values may be added within the version (Versioning 2). */
const growing = ["ErrorType", "EventType"];

export const extensibleEnumsNotClosed: Rule = {
  description: "Error types and event types are extensible: their known values are listed, not enforced.",
  *check(document) {
    for (const name of growing) {
      const path = ["components", "schemas", name];
      const schema = valueAt(document, path);
      if (schema !== undefined && !Array.isArray(nodeOf(schema)["x-extensible-enum"]))
        yield finding(path, `Add x-extensible-enum with the known values to ${name}.`);
    }
    for (const { path, keyword, schema, name } of keywordsIn("enum", "const")(document))
      if (schema["x-extensible-enum"] !== undefined || growing.includes(name))
        yield finding(path, `Remove ${keyword} from ${name}: more values may be added at any time.`);
  },
};
