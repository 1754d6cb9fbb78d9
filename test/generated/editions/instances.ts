import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { mapValues } from "../../../lib/objects.ts";
import { resolveSchema } from "../../../scripts/document/references.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { isNode, listOf, type Node, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import { prepared } from "../../../scripts/generate/validators/compile.ts";
import { formats } from "../../../scripts/generate/validators/runtime.ts";

const ajv = new Ajv2020({ strict: false, formats });

/** Texts on both sides of the formats, patterns and lengths of the document. */
const texts = [
  ...[
    "",
    "ada@example.com",
    "Ada@Example.com",
    "Ada <ada@example.com>",
    "ada",
    "\n",
    "a\r\nb",
    "a b",
    "é".repeat(61),
  ],
  ...[
    "2026-12-24T18:00:00Z",
    "2026-12-24T18:00:00+01:00",
    "2026-12-24T18:00:00+00:00",
    "2026-12-24T18:00:00",
  ],
  ...[
    "https://example.com/a",
    "http://example.com/a",
    "https://",
    "aGVsbG8=",
    "aGVsbG8",
    "-_-_",
    "%",
    "sched_1",
    "X-A",
  ],
  ...["List-Unsubscribe", "Subject", "order_id:1.0-a", "text", "sent", "canceled", "unauthorized", "true"],
  ...[60, 61, 120, 121, 128, 129, 256, 257, 998, 999, 1025].map((length) => "x".repeat(length)),
];

const anything = fc.constantFrom<unknown>(
  ...[null, true, 0, -1, 1.5, 2 ** 53, 1e300, [], {}, [null], [1, "a"], { type: "sent" }, { a: null }],
  ...texts,
);

/** Values that are valid for a schema if its keywords do not contradict each other, and nearly valid ones. */
export function valuesOf(document: Node, given: unknown): fc.Arbitrary<unknown> {
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
  const validate = ajv.compile(prepared({ ...schema, type: "string" }, { technicalLimits: true }));
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
export function editsOf(document: Node): fc.Arbitrary<Edit> {
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
export function edited(value: unknown, edit: Edit): unknown {
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
