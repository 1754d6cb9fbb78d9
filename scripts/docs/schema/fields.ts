import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { kebab, schemaAddress } from "../addresses.ts";
import { anchor, code, entry, joined, siteLink } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import { constraintsOf } from "./constraints.ts";
import { placed } from "./resolve.ts";
import { type Parted, parted } from "./shared.ts";
import { typeWords } from "./type.ts";

/** What is needed to write a schema out. */
export interface Place {
  document: OpenApiDocument;
  /** What the anchors of the fields begin with: `body` gives `body-from` and `body-attachments-filename`. */
  prefix: string;
  /** The names of the schemas that this stands within: one within itself is not written out again. */
  within?: readonly string[];
}

/** Everything a schema says, fields and fields of fields included, as a list; variants one after the other. */
export function schemaText(place: Place, given: Schema): string {
  const { schema, name } = placed(place.document, given);
  const { within = [] } = place;
  if (name === undefined) return joined(ruleText(schema), contents(place, schema));
  const inner = { ...place, within: [...within, name] };
  return joined(ruleText(schema), within.includes(name) ? "" : contents(inner, schema));
}

/** What a schema asks of the value as a whole, and the promises that stand there. */
export function ruleText(schema: Schema): string {
  const { rules, room } = constraintsOf(schema);
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
    variants.map((variant, index) => variantText(place, variant, index, variants)).join("\n\n"),
    fields.join("\n"),
    additional(place, schema),
    schema.items === undefined ? "" : itemText(place, schema.items),
  );
}

/** One of several shapes. The fields of the first have the short anchors, since several shapes share most of them. */
function variantText(place: Place, variant: Schema, index: number, all: Schema[]): string {
  const { schema, name } = placed(place.document, variant);
  if (all.length === 1) return joined(schema.description, schemaText(place, variant));
  const title = String(schema.title ?? name ?? typeWords(place.document, variant));
  const heading = name === undefined ? title : siteLink(title, schemaAddress(name, schema));
  const prefix = index === 0 ? place.prefix : `${place.prefix}-${kebab(name ?? String(index))}`;
  const parts = index === 0 ? undefined : parted(placed(place.document, all[0] ?? {}).schema, schema);
  const own = { ...place, prefix };
  const text = parts === undefined ? schemaText(own, variant) : partedText(own, parts);
  return joined(`**${heading}**`, schema.description, text);
}

/** An object of which many fields have been described before: these come last, closed until they are asked for. */
function partedText(place: Place, { own, shared, names }: Parted): string {
  const summary = `As above: ${names.map((name) => `<code>${name}</code>`).join(", ")}`;
  const folded = joined(`<details>\n<summary>${summary}</summary>`, contents(place, shared), "</details>");
  return joined(schemaText(place, own), folded);
}

function field(place: Place, name: string, given: Schema, required: boolean): string {
  const { schema } = placed(place.document, given);
  const prefix = `${place.prefix}-${name}`;
  const type = `${typeWords(place.document, given)}${required ? ", required" : ""}`;
  const first = `${anchor(prefix)}**${code(name)}** *${type}*`;
  return entry(first, schema.description ?? "", schemaText({ ...place, prefix }, given));
}

/** What holds for names that are not listed: for each name, and for the value of each. */
function additional(place: Place, { propertyNames, additionalProperties }: Schema): string {
  const names = propertyNames as Schema | undefined;
  const values = typeof additionalProperties === "object" ? (additionalProperties as Schema) : undefined;
  return [
    names && unnamed(place, "name", "each name", names),
    values && unnamed(place, "value", "each value", values),
  ]
    .filter(Boolean)
    .join("\n");
}

function itemText(place: Place, items: Schema): string {
  const anything = Object.keys(items).length === 0;
  return anything ? "" : unnamed(place, "entry", "each entry", items);
}

/** What holds for something that has no name of its own. */
function unnamed(place: Place, suffix: string, title: string, given: Schema): string {
  const { schema } = placed(place.document, given);
  const prefix = `${place.prefix}-${suffix}`;
  const first = `${anchor(prefix)}**${title}** *${typeWords(place.document, given)}*`;
  return entry(first, schema.description ?? "", schemaText({ ...place, prefix }, given));
}
