import { valueAt } from "../../document/json-pointer.ts";
import { follow } from "../../document/references.ts";
import { excludedProperties } from "../../document/schema-forms.ts";
import { schemas } from "../../document/schemas.ts";
import { type Located, listOf, type Node, nodeOf, type Path, textsOf } from "../../document/values.ts";
import type { Edition, Lost } from "./edition.ts";

/**
 * An edition of OpenAPI 3.0 without unions: variants that are objects become one object with the properties of all, which requires
 * what all require. Any other union accepts every value.
 */
export function flat(source: Node, edition: Edition): Edition {
  const document = structuredClone(edition.document);
  const lost = [...edition.lost];
  for (const { path, schema } of schemas(document)) {
    // True is the default. If it is explicit, OpenAPI Generator's Kotlin classes extend a map.
    if (schema.additionalProperties === true) delete schema.additionalProperties;
    for (const keyword of ["oneOf", "anyOf"])
      if (keyword in schema) lost.push(...withoutUnion(source, document, [...path, keyword], schema));
  }
  return { document, lost };
}

/** Removes the union at the path from its schema, and returns what is lost. */
function withoutUnion(source: Node, document: Node, path: Path, schema: Node): Lost[] {
  const list = listOf(schema[String(path.at(-1))]);
  const variants = list.map((variant, index) => variantAt(document, [...path, index], variant));
  delete schema[String(path.at(-1))];
  if (variants.some(({ value }) => value.type !== "object")) return [{ path }];
  const [first, ...others] = variants.map(({ required }) => required);
  const common = (first ?? []).filter((name) => others.every((required) => required.includes(name)));
  const properties: Node = Object.assign({}, ...variants.map(({ value }) => value.properties));
  const rows = variants.map(({ value, required }) =>
    rowOf(
      value,
      required.filter((name) => !common.includes(name)),
    ),
  );
  const description = [schema.description, rows.join("\n")].join("\n\n");
  Object.assign(schema, { description, type: "object", required: common, properties });
  const isRestricted = (name: string): boolean => variants.some((variant) => accepts(source, variant, name));
  return [
    { path, restricted: Object.keys(properties).filter(isRestricted) },
    ...variants.flatMap((variant) => optionalIn(variant, common)),
  ];
}

interface Variant extends Located {
  required: string[];
}

function variantAt(document: Node, path: Path, variant: unknown): Variant {
  const located = follow(document, path, variant);
  return { ...located, required: textsOf(listOf(located.value.required)) };
}

/** A variant in the description of the merged object, which does not require these properties. */
function rowOf({ description }: Node, required: string[]): string {
  const names = required.map((name) => `\`${name}\``).join(", ");
  return `- ${description}${names === "" ? "" : ` Requires ${names}.`}`;
}

/** What a variant requires, but not the merged object. */
const optionalIn = ({ path, required }: Variant, common: string[]): Lost[] =>
  [...required.entries()]
    .filter(([, name]) => !common.includes(name))
    .map(([index]) => ({ path: [...path, "required", index] }));

/** Whether a variant accepts any value of the property: it neither describes nor excludes it. */
function accepts(source: Node, { path, value }: Variant, name: string): boolean {
  const excluded = excludedProperties(nodeOf(valueAt(source, path)));
  return !(name in nodeOf(value.properties)) && !excluded.includes(name);
}
