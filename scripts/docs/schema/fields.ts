import type { OpenApiDocument, Schema } from "../../document.ts";
import { kebab, schemaAddress } from "../addresses.ts";
import { anchor, code, entry, joined, siteLink } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import { constraintsOf } from "./constraints.ts";
import { placed } from "./resolve.ts";
import { typeWords } from "./type.ts";

/** What is needed to write a schema out. */
export interface Place {
  document: OpenApiDocument;
  /** What the anchors of the fields begin with: `body` gives `body-from` and `body-attachments-filename`. */
  prefix: string;
}

/** Everything a schema says, fields and fields of fields included, as a list; variants one after the other. */
export function schemaText(place: Place, given: Schema): string {
  const { schema } = placed(place.document, given);
  return joined(ruleText(place.document, schema), contents(place, schema));
}

/** What a schema asks of the value as a whole, and the promises that stand there. */
export function ruleText(document: OpenApiDocument, schema: Schema): string {
  const { rules, room } = constraintsOf(document, schema);
  return joined(sentence(rules), smallPrint(schema, room));
}

const sentence = (phrases: string[]): string => {
  const text = phrases.join("; ");
  return text === "" ? "" : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
};

/** The fields of an object, the entries of a list, the variants of a choice: whatever stands within. */
function contents(place: Place, schema: Schema): string {
  const variants = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== "null");
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, value]) =>
    field(place, name, value, required.has(name)),
  );
  return joined(
    variants.map((variant, index) => variantText(place, variant, index, variants.length)).join("\n\n"),
    fields.join("\n"),
    additional(place, schema),
    schema.items === undefined ? "" : itemText(place, schema.items),
  );
}

/** One of several shapes. The fields of the first have the short anchors, since several shapes share most of them. */
function variantText(place: Place, variant: Schema, index: number, count: number): string {
  const { schema, name } = placed(place.document, variant);
  if (count === 1) return joined(schema.description, schemaText(place, variant));
  const title = String(schema.title ?? name ?? typeWords(place.document, variant));
  const heading = name === undefined ? title : siteLink(title, schemaAddress(name, schema));
  const prefix = index === 0 ? place.prefix : `${place.prefix}-${kebab(name ?? String(index))}`;
  return joined(`**${heading}**`, schema.description, schemaText({ ...place, prefix }, variant));
}

function field(place: Place, name: string, given: Schema, required: boolean): string {
  const { schema } = placed(place.document, given);
  const prefix = `${place.prefix}-${name}`;
  const type = `${typeWords(place.document, given)}${required ? ", required" : ""}`;
  const first = `${anchor(prefix)}**${code(name)}** *${type}*`;
  return entry(first, schema.description ?? "", schemaText({ ...place, prefix }, given));
}

function additional(place: Place, { additionalProperties }: Schema): string {
  if (typeof additionalProperties !== "object" || additionalProperties === null) return "";
  const value = additionalProperties as Schema;
  const { schema } = placed(place.document, value);
  const prefix = `${place.prefix}-any`;
  const first = `${anchor(prefix)}**any other name** *${typeWords(place.document, value)}*`;
  return entry(first, schema.description ?? "", schemaText({ ...place, prefix }, value));
}

function itemText(place: Place, items: Schema): string {
  const { schema } = placed(place.document, items);
  if (Object.keys(schema).length === 0) return "";
  const prefix = `${place.prefix}-entry`;
  const first = `${anchor(prefix)}**each entry** *${typeWords(place.document, items)}*`;
  return entry(first, schema.description ?? "", schemaText({ ...place, prefix }, items));
}
