import { escapeHtml } from "../../../lib/html.ts";
import { variantOf } from "../../document/schema-forms.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { isNode } from "../../document/values.ts";
import { type Tab, tabs } from "../text/layout.ts";
import { code, collapsed, joined, siteLink } from "../text/markdown.ts";
import { inWords, kebab, schemaPath } from "../text/page-paths.ts";
import { smallPrint } from "../text/small-print.ts";
import { constraintsOf } from "./constraints.ts";
import { fieldEntry, folded, requiredChip } from "./field-entry.ts";
import { foldSummary } from "./fold-summary.ts";
import { resolveSchema } from "./resolve-schema.ts";
import { sentenceOf } from "./rules.ts";
import { type SplitSchema, splitShared } from "./split-shared.ts";
import { typeText } from "./type.ts";

export interface SchemaContext {
  document: OpenApiDocument;
  /** The start of each field's anchor: `body` gives `body-from` and `body-attachments-filename`. */
  prefix: string;
  /** The names of the schemas around this one; a schema inside itself is not expanded again. */
  ancestors?: readonly string[];
}

/** A schema as Markdown: its constraints, then its fields as a nested list, with tabs for its variants. */
export function schemaText(context: SchemaContext, given: Schema): string {
  const { schema } = resolveSchema(context.document, given);
  const { rules, technicalLimits } = constraintsOf(schema);
  return joined(sentenceOf(rules), smallPrint(schema, technicalLimits), partsText(context, given));
}

/** The fields, items, names and values of a schema. */
export function partsText(context: SchemaContext, given: Schema): string {
  const { schema, name } = resolveSchema(context.document, given);
  const { ancestors = [] } = context;
  if (name === undefined) return contents(context, schema);
  return ancestors.includes(name) ? "" : contents({ ...context, ancestors: [...ancestors, name] }, schema);
}

function contents(context: SchemaContext, schema: Schema): string {
  const decisive = schema["x-variant-by-request"];
  if (decisive !== undefined) return variantsByRequest(context, schema, decisive);
  const variants = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== "null");
  const required = new Set(schema.required);
  const properties = Object.entries(schema.properties ?? {});
  const fields = properties.map(([name, value]) =>
    valueText(
      context,
      { name: code(name), suffix: name, required: required.has(name), fold: foldOf(properties.length) },
      value,
    ),
  );
  const { propertyNames, additionalProperties, items } = schema as Record<string, Schema | undefined>;
  const unnamed = [
    propertyNames && valueText(context, { name: "each name", suffix: "name" }, propertyNames),
    // The reference says once, for all responses, that properties may be added.
    isNode(additionalProperties) &&
      valueText(context, { name: "each value", suffix: "value" }, additionalProperties),
  ];
  return joined(
    variantsText(context, variants),
    fields.join("\n"),
    unnamed.filter(Boolean).join("\n"),
    items && Object.keys(items).length > 0
      ? valueText(context, { name: "each item", suffix: "item" }, items)
      : "",
  );
}

/** What is inside a field is collapsed, unless it is the only one. */
const foldOf = (fields: number): "open" | "closed" => (fields === 1 ? "open" : "closed");

/** The two variants of an object that the request decides. */
function variantsByRequest(context: SchemaContext, schema: Schema, property: string): string {
  const tab = (label: string, heading: string, hasProperty: boolean): Tab => {
    const prefix = hasProperty ? `${context.prefix}-${kebab(property)}` : context.prefix;
    const text = contents({ ...context, prefix }, variantOf(schema, hasProperty));
    return {
      label: `${label} <code>${property}</code>`,
      text: joined(`**${heading} ${code(property)}**`, text),
    };
  };
  return tabs({ name: context.prefix, legend: "Request" }, [
    tab("Without", "If the request has no", false),
    tab("With", "If the request has", true),
  ]);
}

function variantsText(context: SchemaContext, variants: Schema[]): string {
  const [only] = variants;
  if (only === undefined) return "";
  if (variants.length === 1)
    return joined(resolveSchema(context.document, only).schema.description, schemaText(context, only));
  const parts = variants.map((variant, index) => variantTab(context, variant, index, variants));
  return tabs({ name: context.prefix, legend: "Variant" }, parts);
}

/** One of several variants. The fields of the first have the short anchors, since variants share most fields. */
function variantTab(context: SchemaContext, variant: Schema, index: number, all: Schema[]): Tab {
  const { schema, name } = resolveSchema(context.document, variant);
  const title = name === undefined ? typeText(context.document, variant) : inWords(name);
  const heading = name === undefined ? title : siteLink(title, schemaPath(name, schema));
  const prefix = index === 0 ? context.prefix : `${context.prefix}-${kebab(name ?? String(index))}`;
  const first = resolveSchema(context.document, all[0] ?? {});
  const split = index === 0 ? undefined : splitShared(first.schema, schema);
  const own = { ...context, prefix };
  const text =
    split === undefined ? schemaText(own, variant) : splitText(own, split, inWords(first.name ?? ""));
  return { label: escapeHtml(title), text: joined(`**${heading}**`, schema.description, text) };
}

function splitText(context: SchemaContext, { own, shared, sharedNames }: SplitSchema, first: string): string {
  const summary = `As in ${first}: ${sharedNames.map((name) => `<code>${name}</code>`).join(", ")}`;
  return joined(schemaText(context, own), collapsed(summary, contents(context, shared), ' class="fold"'));
}

/** A field, item, property name or value of a schema. */
function valueText(
  context: SchemaContext,
  value: { name: string; suffix: string; required?: boolean; fold?: "open" | "closed" },
  given: Schema,
): string {
  const { document } = context;
  const anchor = `${context.prefix}-${value.suffix}`;
  const { schema } = resolveSchema(document, given);
  const parts = partsText({ ...context, prefix: anchor }, given);
  return fieldEntry({
    name: value.name,
    anchor,
    type: typeText(document, given),
    schema,
    presence: value.required === true ? requiredChip : undefined,
    description: schema.description,
    parts: value.fold === undefined ? parts : folded(foldSummary(document, schema), parts, value.fold),
  });
}
