import { variantOf } from "../../document/request-variants.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { isNode } from "../../document/values.ts";
import { anchor, capitalized, code, collapsed, entry, joined, siteLink } from "../text/markdown.ts";
import { inWords, kebab, schemaPath } from "../text/page-paths.ts";
import { smallPrint } from "../text/small-print.ts";
import { constraintsOf } from "./constraints.ts";
import { resolveSchema } from "./resolve-schema.ts";
import { type SplitSchema, splitShared } from "./split-shared.ts";
import { typeText } from "./type.ts";

export interface SchemaContext {
  document: OpenApiDocument;
  /** The start of each field's anchor: `body` gives `body-from` and `body-attachments-filename`. */
  prefix: string;
  /** The names of the schemas around this one; a schema inside itself is not expanded again. */
  ancestors?: readonly string[];
}

/** A schema as Markdown: its constraints, then its fields as a nested list, variant by variant. */
export function schemaText(context: SchemaContext, given: Schema): string {
  const { schema, name } = resolveSchema(context.document, given);
  const { ancestors = [] } = context;
  if (name === undefined) return joined(constraintText(schema), contents(context, schema));
  const inner = { ...context, ancestors: [...ancestors, name] };
  return joined(constraintText(schema), ancestors.includes(name) ? "" : contents(inner, schema));
}

/** What a schema requires of the value as a whole. */
export function constraintText(schema: Schema): string {
  const { rules, technicalLimits } = constraintsOf(schema);
  const sentence = rules.length === 0 ? "" : `${capitalized(rules.join("; "))}.`;
  return joined(sentence, smallPrint(schema, technicalLimits));
}

function contents(context: SchemaContext, schema: Schema): string {
  const decisive = schema["x-variant-by-request"];
  if (decisive !== undefined) return variantsByRequest(context, schema, decisive);
  const variants = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== "null");
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, value]) =>
    valueText(context, { name: code(name), suffix: name, required: required.has(name) }, value),
  );
  const { propertyNames, additionalProperties, items } = schema as Record<string, Schema | undefined>;
  const unnamed = [
    propertyNames && valueText(context, { name: "each name", suffix: "name" }, propertyNames),
    // The reference says once, for all responses, that properties may be added.
    isNode(additionalProperties) &&
      valueText(context, { name: "each value", suffix: "value" }, additionalProperties),
  ];
  return joined(
    variants.map((variant, index) => variantText(context, variant, index, variants)).join("\n\n"),
    fields.join("\n"),
    unnamed.filter(Boolean).join("\n"),
    items && Object.keys(items).length > 0
      ? valueText(context, { name: "each item", suffix: "item" }, items)
      : "",
  );
}

/** The two variants of an object that the request decides. */
function variantsByRequest(context: SchemaContext, schema: Schema, property: string): string {
  const text = (heading: string, hasProperty: boolean): string => {
    const prefix = hasProperty ? `${context.prefix}-${kebab(property)}` : context.prefix;
    return joined(`**${heading}**`, contents({ ...context, prefix }, variantOf(schema, hasProperty)));
  };
  return joined(
    text(`If the request has no ${code(property)}`, false),
    text(`If the request has ${code(property)}`, true),
  );
}

/** One of several variants. The fields of the first have the short anchors, since variants share most fields. */
function variantText(context: SchemaContext, variant: Schema, index: number, all: Schema[]): string {
  const { schema, name } = resolveSchema(context.document, variant);
  if (all.length === 1) return joined(schema.description, schemaText(context, variant));
  const title = name === undefined ? typeText(context.document, variant) : inWords(name);
  const heading = name === undefined ? title : siteLink(title, schemaPath(name, schema));
  const prefix = index === 0 ? context.prefix : `${context.prefix}-${kebab(name ?? String(index))}`;
  const first = resolveSchema(context.document, all[0] ?? {}).schema;
  const split = index === 0 ? undefined : splitShared(first, schema);
  const own = { ...context, prefix };
  const text = split === undefined ? schemaText(own, variant) : splitText(own, split);
  return joined(`**${heading}**`, schema.description, text);
}

function splitText(context: SchemaContext, { own, shared, sharedNames }: SplitSchema): string {
  const summary = `Same as above: ${sharedNames.map((name) => `<code>${name}</code>`).join(", ")}`;
  return joined(schemaText(context, own), collapsed(summary, contents(context, shared)));
}

/** A field, item, property name or value as a list entry. */
function valueText(
  context: SchemaContext,
  { name, suffix, required = false }: { name: string; suffix: string; required?: boolean },
  given: Schema,
): string {
  const { description = "" } = resolveSchema(context.document, given).schema;
  const prefix = `${context.prefix}-${suffix}`;
  const type = `${typeText(context.document, given)}${required ? ", required" : ""}`;
  return entry(
    `${anchor(prefix)}**${name}** *${type}*`,
    description,
    schemaText({ ...context, prefix }, given),
  );
}
