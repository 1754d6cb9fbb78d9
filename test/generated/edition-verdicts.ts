import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { mapValues } from "../../lib/objects.ts";
import { generatedFolder } from "../../scripts/common/paths.ts";
import type { Loss } from "../../scripts/document/editions.ts";
import { pathOf, valueAt } from "../../scripts/document/json-pointer.ts";
import { follow, resolveSchema } from "../../scripts/document/references.ts";
import { schemas } from "../../scripts/document/schemas.ts";
import type { Schema } from "../../scripts/document/types.ts";
import { entriesOf, isNode, listOf, type Node, nodeOf, textsOf } from "../../scripts/document/values.ts";
import { prepared } from "../../scripts/generate/validators/compile.ts";
import { formats } from "../../scripts/generate/validators/runtime.ts";

type Edition = Node & { "x-losses": Loss[] };

const read = (file: string) => JSON.parse(readFileSync(join(generatedFolder, file), "utf8"));
export const source: Node = read("openapi.json");
export const editions: [file: string, edition: Edition][] = ["openapi-3.0.json", "openapi-flat.json"].map(
  (file) => [file, read(file)],
);

/** Gives each component as many instances: one of ten is generated from it, the others are these with an edit. */
export function instances(count: number): (component: string) => unknown[] {
  const edits = fc.sample(editsOf(source), { numRuns: count, seed: 1 });
  const create = (component: string): unknown[] => {
    const values = valuesOf(source, { $ref: `#/components/schemas/${component}` });
    const generated = fc.sample(values, { numRuns: count / 10, seed: 1 });
    return edits.map((edit, index) => {
      const value = generated[index % generated.length];
      return index < generated.length ? value : edited(value, edit);
    });
  };
  const created = new Map<string, unknown[]>();
  return (component) => {
    const values = created.get(component) ?? create(component);
    created.set(component, values);
    return values;
  };
}

/** The instances of a component by the verdicts on them. */
interface Verdicts {
  valid: number;
  invalid: number;
  /** The instances with another verdict from the edition than from the source without the losses. */
  different: unknown[];
  /** The instances that only the source accepts, except those with a property that is known to be restricted. */
  rejected: unknown[];
}

/** Compares an edition with the source, and with the source without these losses. */
export function comparison(
  edition: Node,
  losses: Loss[],
): (component: string, values: unknown[]) => Verdicts {
  const strict = sourceValidators(source);
  const differs = difference(edition, losses);
  const converted = editionValidators(edition);
  const restricted = new Set(losses.flatMap((loss) => loss.restricted ?? []));
  return (component, values) => {
    const [inSource, inEdition] = [strict(component), converted(component)];
    const valid = values.filter(inSource);
    return {
      valid: valid.length,
      invalid: values.length - valid.length,
      different: values.filter(differs(component)),
      rejected: valid.filter((value) => !inEdition(value) && !hasProperty(value, restricted)),
    };
  };
}

/** Whether an edition has another verdict on an instance of a component than the source without these losses. */
export function difference(
  edition: Node,
  losses: Loss[],
): (component: string) => (value: unknown) => boolean {
  const weaker = sourceValidators(without(source, losses));
  const converted = editionValidators(edition);
  return (component) => {
    const [inWeaker, inEdition] = [weaker(component), converted(component)];
    return (value) => inEdition(value) !== inWeaker(value);
  };
}

/** Whether a value, or a part of it, has one of these properties. */
function hasProperty(value: unknown, names: Set<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, part]) => names.has(name) || hasProperty(part, names));
}

/** The components in an edition that a loss concerns: its own, or those that its own was merged into. */
export function concerned(edition: Node, { pointer }: Loss): string[] {
  const [, , name = ""] = pathOf(pointer);
  const present = new Set(schemasOf(edition).map(([component]) => component));
  if (present.has(name)) return [name];
  return schemasOf(source)
    .filter(
      ([component, schema]) => present.has(component) && JSON.stringify(schema).includes(`/schemas/${name}"`),
    )
    .map(([component]) => component);
}

type Validators = (component: string) => (value: unknown) => boolean;

export const schemasOf = (document: Node): [string, Node][] => entriesOf(nodeOf(document.components).schemas);

/** Validates by the document, as the sandbox and the suite do. */
function sourceValidators(document: Node): Validators {
  const ajv = new Ajv2020({ strict: false, formats });
  for (const [name, schema] of schemasOf(document))
    ajv.addSchema({ ...prepared(schema as Schema, "requests"), $id: name });
  return (component) => compiled(ajv, component);
}

/** Validates by an edition, as any tool would that knows the `nullable` of OpenAPI 3.0; in strict mode, no other keyword is unknown. */
function editionValidators({ components }: Node): Validators {
  const ajv = new Ajv({ strict: true, strictRequired: false, formats });
  ajv.addVocabulary(["components", "example", "x-enum-varnames", "x-extensible-enum", "x-technical-limit"]);
  ajv.addSchema({ $id: "edition", components });
  return (component) => compiled(ajv, `edition#/components/schemas/${component}`);
}

function compiled(ajv: Ajv | Ajv2020, id: string): (value: unknown) => boolean {
  const validate = ajv.getSchema(id);
  if (validate === undefined) throw new Error(`there is no schema ${id}`);
  return (value) => validate(value) === true;
}

/** The document without what was lost. Of a union of objects remains that the properties of each are restricted. */
function without(document: Node, losses: Loss[]): Node {
  const copy = structuredClone(document);
  const paths = losses.map(({ pointer }) => pathOf(pointer)).filter(([root]) => root === "components");
  // The last first: to remove an item of a list moves those behind it.
  for (const path of paths.toReversed()) {
    const key = path.at(-1) ?? "";
    const owner = valueAt(copy, path.slice(0, -1));
    if (Array.isArray(owner)) owner.splice(Number(key), 1);
    else remove(copy, nodeOf(owner), key);
  }
  return copy;
}

function remove(document: Node, owner: Node, key: string): void {
  const variants = ["oneOf", "anyOf"].includes(key) ? listOf(owner[key]) : [];
  const types = variants.map((variant) => follow(document, [], variant).value.type);
  if (variants.length > 0 && types.every((type) => type === "object")) owner.allOf = variants;
  delete owner[key];
}

const ajv = new Ajv2020({ strict: false, formats });

/** Texts on both sides of the formats, patterns and lengths of the document. */
const texts = [
  ...["", "ada@example.com", "Ada@Example.com", "Ada <ada@example.com>", "ada", "\n", "a\r\nb", "a b"],
  ...[
    "2026-12-24T18:00:00Z",
    "2026-12-24T18:00:00+01:00",
    "2026-12-24T18:00:00+00:00",
    "2026-12-24T18:00:00",
  ],
  ...["https://example.com/a", "http://example.com/a", "https://", "aGVsbG8=", "aGVsbG8", "-_-_", "%"],
  ...["sched_1", "X-A", "List-Unsubscribe", "Subject", "order_id:1.0-a", "text", "sent", "canceled"],
  ...["unauthorized", "true", "é".repeat(61)],
  ...[60, 61, 120, 121, 128, 129, 256, 257, 998, 999, 1025].map((length) => "x".repeat(length)),
];

const anything = fc.constantFrom<unknown>(
  ...[null, true, 0, -1, 1.5, 2 ** 53, 1e300, [], {}, [null], [1, "a"], { type: "sent" }, { a: null }],
  ...texts,
);

/** Values that are valid for a schema if its keywords do not contradict each other, and nearly valid ones. */
function valuesOf(document: Node, given: unknown): fc.Arbitrary<unknown> {
  const schema = resolveSchema(document, given);
  const variants = [...listOf(schema.oneOf), ...listOf(schema.anyOf)];
  if (variants.length > 0) return fc.oneof(...variants.map((variant) => valuesOf(document, variant)));
  const known = "const" in schema ? [schema.const] : listOf(schema.enum);
  if (known.length > 0) return fc.constantFrom(...known);
  const types = textsOf(schema.type);
  return types.length === 0 ? anything : fc.oneof(...types.map((type) => ofType(document, schema, type)));
}

function ofType(document: Node, schema: Node, type: string): fc.Arbitrary<unknown> {
  if (type === "object") return objects(document, schema);
  if (type === "array") return lists(document, schema);
  if (type === "string") return strings(schema);
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  return type === "integer"
    ? fc.integer({ min: -2, max: 101 })
    : fc.double({ noNaN: true, noDefaultInfinity: true });
}

/** The texts that the schema accepts, so that an object of several texts is valid often enough. */
function strings(schema: Node): fc.Arbitrary<string> {
  const validate = ajv.compile(prepared({ ...schema, type: "string" }, "requests"));
  const known = [...textsOf(schema["x-extensible-enum"]), ...texts];
  return fc.constantFrom(...known.filter((text) => validate(text)));
}

/** Up to two items, or as many as are allowed, or one more. */
function lists(document: Node, { items, maxItems }: Node): fc.Arbitrary<unknown[]> {
  const few = fc.array(valuesOf(document, items), { maxLength: 2 });
  if (typeof maxItems !== "number" || maxItems > 100) return few;
  const many = fc
    .tuple(valuesOf(document, items), fc.constantFrom(maxItems, maxItems + 1))
    .map(([item, length]) => Array.from({ length }, () => item));
  return fc.oneof({ weight: 9, arbitrary: few }, { weight: 1, arbitrary: many });
}

function objects(document: Node, schema: Node): fc.Arbitrary<Node> {
  const properties = mapValues(nodeOf(schema.properties), (one) => valuesOf(document, one));
  const fixed = fc.record(properties, { requiredKeys: textsOf(listOf(schema.required)) });
  if (!isNode(schema.additionalProperties)) return fixed;
  const names = strings(resolveSchema(document, schema.propertyNames ?? {}));
  const most =
    typeof schema.maxProperties === "number" && schema.maxProperties <= 20 ? schema.maxProperties : 2;
  const value = valuesOf(document, schema.additionalProperties);
  const few = fc.dictionary(names, value, { maxKeys: 2 });
  const many = fc
    .tuple(value, fc.constantFrom(most, most + 1))
    .map(([one, count]) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, one])),
    );
  return fc.oneof({ weight: 5, arbitrary: few }, { weight: 1, arbitrary: many });
}

/** An edit somewhere in a value: another value there, another property, or one less. */
interface Edit {
  steps: number[];
  name: string;
  value: unknown;
}

/** Edits with the property names of the document and others, and mostly with values that are valid for these. */
function editsOf(document: Node): fc.Arbitrary<Edit> {
  const named = schemas(document).filter(({ property }) => property !== undefined);
  const properties = new Map(
    named.map(({ property = "", schema }) => [property, valuesOf(document, schema)]),
  );
  const names = [...properties.keys(), "a b", "X-A"];
  const steps = fc.array(fc.nat(999), { maxLength: 4 });
  return fc.oneof(
    ...names.map((name) =>
      fc.record({
        steps,
        name: fc.constant(name),
        value: fc.oneof(properties.get(name) ?? anything, anything),
      }),
    ),
  );
}

/** The value with the edit: the steps lead into it by position, and the last one says what is edited. */
function edited(value: unknown, edit: Edit): unknown {
  const [step = 0, ...steps] = edit.steps;
  const keys = Object.keys(nodeOf(value));
  const key = keys[step % keys.length];
  if (Array.isArray(value) && value.length > 0 && edit.steps.length > 0) {
    const items: unknown[] = value;
    return items.with(step % items.length, edited(items[step % items.length], { ...edit, steps }));
  }
  if (!isNode(value) || edit.steps.length === 0) return edit.value;
  if (key === undefined || (steps.length === 0 && step % 3 === 0))
    return { ...value, [edit.name]: edit.value };
  const { [key]: inner, ...others } = value;
  if (steps.length === 0 && step % 3 === 1) return others;
  return { ...others, [key]: edited(inner, { ...edit, steps }) };
}
