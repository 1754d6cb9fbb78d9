import { isDeepStrictEqual } from "node:util";
import { escapeHtml } from "../../../lib/html.ts";
import { capitalized, count } from "../../../lib/text.ts";
import { nameOf } from "../../document/json-pointer.ts";
import { dereference } from "../../document/references.ts";
import { variantOf, withTypeList } from "../../document/schema-forms.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { isNode } from "../../document/values.ts";
import { inWords, kebab, schemaPath } from "../page.ts";
import {
  chip,
  code,
  collapsed,
  either,
  entry,
  joined,
  linkedAnchor,
  siteLink,
  siteOnly,
  type Tab,
  tabs,
} from "../text/markdown.ts";
import { mergedIds, requirementNotes } from "../text/requirement-notes.ts";
import { constraintsOf } from "./constraints.ts";

/** Resolves a schema's `$ref`, and names its component. Keywords beside the `$ref` override those of its target; ids of both are kept. */
export function resolveSchema(document: OpenApiDocument, schema: Schema) {
  if (schema.$ref === undefined) return { schema: withTypeList(schema), name: undefined };
  const { $ref, ...siblings } = schema;
  const target = dereference<Schema>(document, { $ref });
  const merged: Schema = withTypeList({ ...target, ...siblings, ...mergedIds(siblings, target) });
  return { schema: merged, name: nameOf($ref) };
}

/** The type of a value, with a link if it is an object with its own page: `array of strings`, `Bounce or null`. */
export function typeText(document: OpenApiDocument, given: Schema): string {
  const { schema, name } = resolveSchema(document, given);
  const variants = schema.anyOf ?? schema.oneOf;
  const isNullable = schema.anyOf?.some(({ type }) => type === "null") === true;
  if (name !== undefined && schema.title !== undefined && !isNullable)
    return siteLink(inWords(name), schemaPath(name, schema));
  if (variants !== undefined) return either(variants.map((variant) => typeText(document, variant)));
  if (schema.type === "array") return `array of ${itemType(document, schema.items ?? {})}`;
  const types = [schema.type ?? "any value"].flat();
  // Formats of numbers only describe how much memory a value takes.
  const offset = { zero: " in UTC", any: " with a UTC offset", none: "" }[schema["x-utc-offset"] ?? "none"];
  const format = schema.format === undefined ? "" : ` (${String(schema.format)}${offset})`;
  return either(types.map((type) => (type === "string" ? `string${format}` : type)));
}

function itemType(document: OpenApiDocument, items: Schema): string {
  const { type, title } = resolveSchema(document, items).schema;
  const isSimple =
    title === undefined && ["string", "integer", "number", "boolean", "object"].includes(type as string);
  return isSimple ? `${type}s` : typeText(document, items);
}

export interface SchemaContext {
  document: OpenApiDocument;
  /** The start of each field's anchor: `body` gives `body-from` and `body-attachments-filename`. */
  prefix: string;
  /** The names of the schemas around this one; a schema inside itself is not expanded again. */
  ancestors?: readonly string[];
  /** A request marks the fields that it must have, a response those that it may lack. */
  isResponse?: boolean;
}

/** A schema as Markdown: its constraints, then its fields as a nested list, with tabs for its variants. */
export function schemaText(context: SchemaContext, given: Schema): string {
  const { schema } = resolveSchema(context.document, given);
  const { rules, technicalLimits } = constraintsOf(schema);
  return joined(sentenceOf(rules), requirementNotes(schema, technicalLimits), partsText(context, given));
}

/** The fields, items, names and values of a schema. */
function partsText(context: SchemaContext, given: Schema): string {
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
  const inside = (suffix: string): SchemaContext => ({ ...context, prefix: `${context.prefix}-${suffix}` });
  // What is inside a field is collapsed, unless it is the only one.
  const fold = properties.length === 1 ? "open" : "closed";
  const fields = properties.map(([name, value]) =>
    fieldEntry(inside(name), value, {
      ...{ name: code(name), fold },
      presence: presenceChip(required.has(name), context.isResponse),
    }),
  );
  const { propertyNames, additionalProperties, items } = schema as Record<string, Schema | undefined>;
  const unnamed = (kind: string, value: Schema | undefined): string =>
    isNode(value) ? fieldEntry(inside(kind), value, { name: `each ${kind}` }) : "";
  // The reference says once, for all responses, that properties may be added.
  const map = [unnamed("name", propertyNames), unnamed("value", additionalProperties)];
  const list = items && Object.keys(items).length > 0 ? unnamed("item", items) : "";
  return joined(variantsText(context, variants), fields.join("\n"), map.filter(Boolean).join("\n"), list);
}

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
  // "Content" of ContentSend and TemplateSend.
  const isShared = (word: string): boolean => all.every(({ $ref = "" }) => kebab($ref).includes(word));
  const words = kebab(name ?? "").split("-");
  const label = capitalized(words.filter((word) => !isShared(word)).join(" ")) || title;
  const prefix = index === 0 ? context.prefix : `${context.prefix}-${kebab(name ?? String(index))}`;
  const first = resolveSchema(context.document, all[0] ?? {});
  const split = index === 0 ? undefined : splitShared(first.schema, schema);
  const own = { ...context, prefix };
  const text =
    split === undefined
      ? schemaText(own, variant)
      : joined(
          schemaText(own, split.own),
          folded(
            `As in ${inWords(first.name ?? "")}: ${namesOf(split.shared)}`,
            siteOnly(contents(own, split.shared)),
          ),
        );
  return { label: escapeHtml(label), text: joined(`**${heading}**`, schema.description, text) };
}

const namesOf = ({ properties = {} }: Schema): string =>
  `<code>${Object.keys(properties).join("</code>, <code>")}</code>`;

const folded = (summary: string, text: string, isOpen = false): string =>
  collapsed(summary, text, ` class="fold"${isOpen ? " open" : ""}`);

/** A field, item, parameter or header, and what is said of it besides its schema. */
interface FieldText {
  /** Markdown. */
  name: string;
  /** What is said beside the type. */
  kind?: string;
  /** The parameter or header: it has the description, and that of the schema is one of the value. */
  owner?: { description?: string; example?: unknown };
  /** A chip that says when the field is present. */
  presence?: string;
  notes?: string[];
  /** Whether what is inside is shown on demand, and open at first. */
  fold?: "open" | "closed";
}

/** Says when a field, a parameter or a header is present, if it is not as most of its kind. */
export function presenceChip(isRequired = false, isResponse = false): string {
  const word = isRequired ? "required" : "optional";
  return isRequired === isResponse ? "" : chip(word, word);
}

/**
 * A list entry: name, type and short rules as chips in one line, the rest below.
 * @param context its prefix is the anchor of the entry
 */
export function fieldEntry(context: SchemaContext, given: Schema, field: FieldText): string {
  const { document, prefix } = context;
  const { name, kind, owner, presence = "", notes = [], fold } = field;
  const { schema } = resolveSchema(document, given);
  const { rules, technicalLimits } = constraintsOf(schema);
  const { beside = [], below = [] } = Object.groupBy(rules, (rule) =>
    fitsBeside(rule) ? "beside" : "below",
  );
  const chips = [presence, ...beside.map((rule) => chip(owner ? rule.replaceAll('"', "") : rule))].join("");
  const type = [typeText(document, given), kind].filter(Boolean).join(", ");
  const parts = partsText(context, given);
  return entry(
    `**${name}**${linkedAnchor(prefix, name)} *${type}*${chips}`,
    (owner ?? schema).description ?? "",
    sentenceOf(below),
    ...notes,
    owner === undefined ? "" : valueNotes(schema, owner),
    requirementNotes(mergedIds(owner ?? {}, schema), technicalLimits),
    fold === undefined ? parts : folded(foldSummary(document, schema), parts, fold === "open"),
  );
}

/** The example of a parameter or a header, and what its schema says of the value. */
const valueNotes = ({ type, description }: Schema, { example }: { example?: unknown }): string =>
  [
    type !== "integer" && description && `Value: ${description}`,
    example !== undefined && `Example: ${code(String(example))}`,
  ]
    .filter(Boolean)
    .join(" ");

/** The length of a phrase, without the marks of code, that still fits beside the type. */
const shortPhrase = 42;

const fitsBeside = (phrase: string): boolean =>
  phrase.replaceAll("`", "").length <= shortPhrase && !/^(matches|must not|requires)/.test(phrase);

const sentenceOf = (rules: string[]): string =>
  rules.length === 0 ? "" : `${capitalized(rules.join("; "))}.`;

/** What is inside a field, for the line that opens it. */
function foldSummary(document: OpenApiDocument, schema: Schema): string {
  const { properties, items, oneOf, anyOf = [] } = schema;
  if (items !== undefined) {
    const inner = resolveSchema(document, items).schema;
    return (inner.properties ?? inner.oneOf) ? `Each item: ${partsName(inner)}` : "Each item";
  }
  const [only] = anyOf.filter(({ type }) => type !== "null");
  if (oneOf === undefined && properties === undefined && only !== undefined)
    return partsName(resolveSchema(document, only).schema);
  return partsName(schema);
}

function partsName({ properties, oneOf, anyOf }: Schema): string {
  if (oneOf !== undefined || (anyOf?.length ?? 0) > 1)
    return `one of ${(oneOf ?? anyOf ?? []).length} variants`;
  if (properties !== undefined) return count(Object.keys(properties).length, "field");
  return "Names and values";
}

/** From this number on, fields that a variant shares with the first one are collapsed. */
const many = 4;

/** A variant without the fields that it shares with the first one, and these alone; undefined if it shares few. */
function splitShared(first: Schema, schema: Schema): { own: Schema; shared: Schema } | undefined {
  const { properties = {}, required = [], ...rest } = schema;
  const isShared = (name: string): boolean =>
    isDeepStrictEqual(properties[name], first.properties?.[name]) &&
    required.includes(name) === (first.required ?? []).includes(name);
  const { own = [], shared = [] } = Object.groupBy(Object.keys(properties), (name) =>
    isShared(name) ? "shared" : "own",
  );
  const pick = (names: string[]): Schema => ({
    required,
    properties: Object.fromEntries(names.map((name) => [name, properties[name] ?? {}])),
  });
  if (shared.length < many) return undefined;
  return { own: { ...rest, ...pick(own) }, shared: pick(shared) };
}
