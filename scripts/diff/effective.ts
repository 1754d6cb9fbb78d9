import { typeOf } from "../../lib/objects.ts";
import { follow } from "../document/references.ts";
import { maximums, minimums } from "../document/schema-forms.ts";
import { isNode, listOf, type Node, nodeOf, textOf, textsOf } from "../document/values.ts";
import { type Context, isEditorial, same } from "./change.ts";

/** The two keywords for each bound of a number. */
export const bounds = [
  ["minimum", "exclusiveMinimum"],
  ["maximum", "exclusiveMaximum"],
] as const;

/**
 * Two schemas in the form in which their keywords are compared: flat, so that two ways to write one meaning are equal. A component that
 * both refer to is that of the base in both, because it is compared by itself.
 */
export function aligned(context: Context, base: Node, revision: Node): [Node, Node] {
  const isWrapping = !isUnion(base) && !isUnion(revision);
  const variants = [asVariant(base, revision), asVariant(revision, base)] as const;
  const others = referencesIn(revision);
  const shared = new Set([...referencesIn(base)].filter((one) => others.has(one)));
  const flat = (document: Node, schema: Node): Node =>
    merged((reference) => (shared.has(reference) ? context.base : document), schema, isWrapping);
  let before = withOneValue(variants[0] ?? flat(context.base, base));
  let after = withOneValue(variants[1] ?? flat(context.revision, revision));
  if ("enum" in before !== "enum" in after) [before, after] = [withEnum(before), withEnum(after)];
  if ("type" in before !== "type" in after) [before, after] = [withType(before), withType(after)];
  for (const key of independent.filter((one) => !same(before[one], after[one])))
    if ("allOf" in before || "allOf" in after)
      [before, after] = [withPart(before, key), withPart(after, key)];
  return [withUsedTypes(before), withUsedTypes(after)];
}

/** Keywords that mean the same in a schema of their own in `allOf`. */
const independent = ["pattern", "multipleOf", "not"];

/** The schema with a keyword among the parts of its `allOf`, where the order means nothing. */
function withPart(schema: Node, key: string): Node {
  const { [key]: value, ...rest } = schema;
  return value === undefined ? rest : { ...rest, allOf: [{ [key]: value }, ...listOf(rest.allOf)] };
}

/** A schema may be `true` or `false`. */
export const asNode = (schema: unknown): Node =>
  schema === false ? { not: {} } : isNode(schema) ? schema : {};

const referencesIn = (schema: Node) => new Set(JSON.stringify(schema).match(/"#\/[^"]*"/g));

/** Whether a keyword has a value that restricts nothing. */
const isDefault = (key: string, value: unknown): boolean =>
  (/^min[LIP]/.test(key) && value === 0) ||
  (/^(exclusiveM\w+|nullable)$/.test(key) && value === false) ||
  (/^(required|allOf)$/.test(key) && same(value, [])) ||
  (/^(items|additionalProperties|unevaluatedProperties)$/.test(key) && isOpen(value));

/** Whether a schema accepts everything. */
const isOpen = (schema: unknown): boolean =>
  schema === true || (isNode(schema) && Object.keys(schema).every(isEditorial));

const isOf30 = ({ openapi }: Node): boolean => textOf(openapi).startsWith("3.0");

/** OpenAPI 3.0 ignores what stands beside a `$ref`, but for texts that people read. */
const withoutIgnored = (schema: Node): Node =>
  typeof schema.$ref === "string"
    ? Object.fromEntries(Object.entries(schema).filter(([key]) => key === "$ref" || isEditorial(key)))
    : schema;

/** A schema with the keywords of OpenAPI 3.0 (`nullable`, boolean `exclusiveMinimum`) as those of 3.1, and without defaults. */
function plain(schema: Node): Node {
  const kept = Object.fromEntries(Object.entries(schema).filter(([key, value]) => !isDefault(key, value)));
  for (const [inclusive, exclusive] of bounds) {
    if (kept[exclusive] !== true) continue;
    kept[exclusive] = kept[inclusive];
    delete kept[inclusive];
  }
  const types = textsOf(kept.type).filter((type) => type !== "null");
  if (same(types, ["integer"]) && Number.isInteger(1 / Number(kept.multipleOf))) delete kept.multipleOf;
  const { nullable, enum: values, ...rest } = kept;
  const { const: _, ...others } = rest;
  if (isNull(kept)) return { ...others, type: "null" };
  if (nullable !== true) return kept;
  // Strictly, `nullable` means nothing without a `type`. Beside `allOf` or `$ref`, authors mean that null is valid as well.
  return { ...withNull(rest), ...(values === undefined ? {} : { enum: values }) };
}

const isNull = (schema: unknown): boolean => {
  const { type, const: only, enum: values } = nodeOf(schema);
  return same(textsOf(type), ["null"]) || only === null || same(values, [null]);
};

const unions = ["oneOf", "anyOf"];
const variantsOf = (schema: Node, key: string) => listOf(schema[key]).filter((variant) => !isNull(variant));

/** Whether a value has one of several schemas. */
const isUnion = (schema: Node): boolean => unions.some((key) => variantsOf(schema, key).length > 1);

/** A schema as the only variant, if the other one lists it among several. */
function asVariant(schema: Node, other: Node): Node | undefined {
  if (isUnion(schema) || !isUnion(other)) return undefined;
  const bare = Object.fromEntries(Object.entries(schema).filter(([key]) => !isEditorial(key)));
  const key = unions.find((one) => listOf(other[one]).some((variant) => same(variant, bare)));
  return key === undefined ? undefined : { [key]: [bare] };
}

/** A schema in the form in which it is compared if it is alone. */
export const effective = (document: Node, schema: unknown) => merged(() => document, asNode(schema), true);

/**
 * A schema and all that it consists of as one. What cannot be merged remains in `allOf`.
 * @param documentOf the document that has what a `$ref` refers to
 * @param isWrapping whether a `oneOf` or `anyOf` of one schema, alone or beside null, is only a way to write it
 * @param known the components that have been merged
 */
function merged(
  documentOf: (reference: string) => Node,
  given: Node,
  isWrapping: boolean,
  known = new Map<Node, Node>(),
): Node {
  const { $ref, allOf, ...own } = plain(isOf30(documentOf("")) ? withoutIgnored(given) : given);
  const flat = (schema: unknown, of = documentOf): Node => merged(of, asNode(schema), isWrapping, known);
  const parts = listOf(allOf).map((part) => flat(part));
  if (typeof $ref === "string") {
    const document = documentOf(JSON.stringify($ref));
    const target = follow(document, [], { $ref }).value;
    // A component that contains itself adds nothing to itself.
    if (!known.has(target) && target.$ref === undefined) {
      known.set(target, {});
      const inside = flat(target, () => document);
      known.set(target, inside);
    }
    parts.unshift(known.get(target) ?? {});
  }
  const key = unions.find((one) => isWrapping && one in own && variantsOf(own, one).length === 1);
  if (key !== undefined) {
    const inner = flat(variantsOf(own, key)[0]);
    parts.push(listOf(own[key]).length > 1 ? withNull(inner) : inner);
    delete own[key];
  }
  const rest: unknown[] = [];
  let whole: Node = {};
  for (const part of [...parts, own]) {
    const { allOf: left, ...keywords } = part;
    rest.push(...listOf(left));
    if (part !== own || $ref === undefined) rest.push(...takenApart(whole, keywords));
    const joined = intersection(whole, keywords);
    if (joined !== undefined) whole = joined;
    // A keyword beside a `$ref` that contradicts it is what readers see.
    else if (part === own && $ref !== undefined) whole = { ...whole, ...own };
    else rest.push(keywords);
  }
  return rest.length === 0 ? whole : { ...whole, allOf: rest };
}

/** What a schema says otherwise than the whole, as parts of their own. */
function* takenApart(whole: Node, keywords: Node): Generator<Node> {
  for (const key of independent) {
    if (!(key in whole && key in keywords) || same(whole[key], keywords[key])) continue;
    yield { [key]: keywords[key] };
    delete keywords[key];
  }
}

const isLimit = (key: string): boolean => maximums.includes(key) || minimums.includes(key);

/** Whether a schema restricts properties that only the other one describes. */
const isClosedTo = (one: Node, other: Node, keywords: string[]): boolean =>
  keywords.some((key) => key in one) &&
  Object.keys(nodeOf(other.properties)).some((name) => !Object.hasOwn(nodeOf(one.properties), name));

/** Whether keywords of one schema would have another meaning beside those of the other. */
const isInseparable = (one: Node, other: Node): boolean =>
  ("if" in one && "if" in other) ||
  ("x-technical-limit" in one !== "x-technical-limit" in other &&
    [one, other].every((schema) => Object.keys(schema).some(isLimit))) ||
  isClosedTo(one, other, ["additionalProperties", "unevaluatedProperties"]) ||
  isClosedTo(other, one, ["additionalProperties"]);

/** The schema that accepts what both accept; undefined if no keywords say that. */
function intersection(one: Node, other: Node): Node | undefined {
  if (isInseparable(one, other)) return undefined;
  const joined = new Map(Object.entries(one));
  for (const [key, value] of Object.entries(other)) {
    const isNew = !joined.has(key) || isEditorial(key) || same(one[key], value);
    const both = isNew ? value : combined(key, one[key], value);
    if (both === undefined) return undefined;
    joined.set(key, both);
  }
  return Object.fromEntries(joined);
}

/** The value of a keyword that means two values at once; undefined if there is none. */
function combined(key: string, one: unknown, other: unknown): unknown {
  if (isLimit(key)) return (maximums.includes(key) ? Math.min : Math.max)(Number(one), Number(other));
  if (key === "type") return sharedTypes(textsOf(one), textsOf(other));
  if (key === "required") return [...new Set([...listOf(one), ...listOf(other)])];
  if (["readOnly", "writeOnly", "deprecated", "uniqueItems"].includes(key)) return true;
  if (key === "items" || key === "propertyNames") return together(one, other);
  if (key === "enum") {
    const values = listOf(one).filter((value) => listOf(other).some((also) => same(value, also)));
    return values.length > 0 ? values : undefined;
  }
  if (key !== "properties") return undefined;
  const [all, more] = [new Map(Object.entries(nodeOf(one))), Object.entries(nodeOf(other))];
  for (const [name, schema] of more) all.set(name, all.has(name) ? together(all.get(name), schema) : schema);
  return Object.fromEntries(all);
}

/** Two schemas that apply together; each once, so that schemas within themselves come to an end. */
function together(one: unknown, other: unknown): Node {
  const isList = (schema: unknown): boolean => same(Object.keys(nodeOf(schema)), ["allOf"]);
  const parts = [one, other].flatMap((schema) => (isList(schema) ? listOf(nodeOf(schema).allOf) : [schema]));
  return { allOf: parts.filter((part, index) => parts.findIndex((first) => same(first, part)) === index) };
}

function sharedTypes(one: string[], other: string[]): string[] | undefined {
  // An integer is a number too.
  const has = (types: string[], type: string): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const shared = [...new Set([...one, ...other])].filter((type) => has(one, type) && has(other, type));
  return shared.length > 0 ? shared : undefined;
}

function withNull(schema: Node): Node {
  const open = withEnum(schema);
  if ("allOf" in open || "$ref" in open) return { anyOf: [open, { type: "null" }] };
  const kept = Object.entries(open).map(([key, value]): [string, unknown] => {
    if (key === "type") return [key, [...new Set([...textsOf(value), "null"])]];
    if (key === "enum") return [key, [...new Set([...listOf(value), null])]];
    if (!unions.includes(key) || listOf(value).some(isNull)) return [key, value];
    return [key, [...listOf(value), { type: "null" }]];
  });
  return Object.fromEntries(kept);
}

/** The schema with its constant as an enum of one value. */
const withEnum = ({ const: only, ...rest }: Node): Node =>
  only === undefined ? rest : { ...rest, enum: [only] };

/** The schema without an enum that has its constant. */
function withOneValue({ enum: values, ...rest }: Node): Node {
  const isUseless = "const" in rest && listOf(values).some((value) => same(value, rest.const));
  return values === undefined || isUseless ? rest : { ...rest, enum: values };
}

/** The schema with the types that follow from its enum, or from variants that are only types. */
function withType(schema: Node): Node {
  const values = listOf(withEnum(schema).enum);
  if ("type" in schema) return schema;
  if (values.length > 0) return { ...schema, type: [...new Set(values.map(typeOf))] };
  const key = unions.find((one) => areTypes(listOf(schema[one]), one));
  if (key === undefined) return schema;
  const { [key]: variants, ...rest } = schema;
  return { ...rest, type: listOf(variants).flatMap((one) => textsOf(nodeOf(one).type)) };
}

/** The schema without the types that no value of its enum has. */
function withUsedTypes(schema: Node): Node {
  const values = listOf(schema.enum);
  const isUsed = (type: string): boolean =>
    values.some((value) => type === typeOf(value) || type === typeof value);
  const type = textsOf(schema.type).filter(isUsed);
  return type.length > 0 ? { ...schema, type } : schema;
}

/** Whether each variant is only a type. A value has one of them alone if no type is there twice, as an integer is with number. */
function areTypes(variants: unknown[], union: string): boolean {
  const isType = (one: unknown): boolean =>
    isNode(one) && "type" in one && Object.keys(one).every((key) => key === "type" || isEditorial(key));
  const types = variants.flatMap((one) => textsOf(nodeOf(one).type));
  const distinct = new Set(types.map((type) => (type === "integer" ? "number" : type)));
  const areApart = union === "anyOf" || distinct.size === types.length;
  return variants.length > 0 && variants.every(isType) && areApart;
}
