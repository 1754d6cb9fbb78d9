import type { Files } from "../../lib/files.ts";
import { mapValues } from "../../lib/objects.ts";
import { pointerOf, valueAt } from "./json-pointer.ts";
import { operationsOf } from "./operations.ts";
import { follow, referencesIn, resolveSchema } from "./references.ts";
import { markedAt } from "./requirements.ts";
import { excludedProperties } from "./schema-forms.ts";
import { schemas } from "./schemas.ts";
import type { OpenApiDocument } from "./types.ts";
import { entriesOf, isNode, type Located, listOf, type Node, nodeOf, type Path, textsOf } from "./values.ts";

/** The editions as JSON, each with its losses (`x-losses`) at its head, and a notice (`x-generated`), if there is one. */
export function editionFiles(bundle: OpenApiDocument, notice?: string): Files {
  const source = bundle as unknown as Node;
  const edition = openApi30(source);
  return new Map([
    ["openapi-3.0.json", print(source, edition, "OpenAPI 3.0", notice)],
    ["openapi-flat.json", print(source, flat(source, edition), "OpenAPI 3.0 without unions", notice)],
  ]);
}

function print(source: Node, { document, lost }: Edition, form: string, notice?: string): string {
  const { openapi, info, components, ...rest } = document;
  const inSource = referencesIn(source, source.paths);
  const unused = componentsOf(source).filter((path) => !inSource.has(`#${pointerOf(path)}`));
  const used = referencesIn(document, document.paths);
  const isUsed = (kind: string, name: string): boolean =>
    kind === "securitySchemes" || used.has(`#${pointerOf(["components", kind, name])}`);
  const edition = {
    openapi,
    info: { ...nodeOf(info), description: `${nodeOf(info).description}${about(form)}` },
    "x-generated": notice,
    // A table of the toolkit is listed if it encodes something that nothing else does.
    "x-losses": lossesOf(source, [...lost, ...unused.map((path) => ({ path }))]).filter(
      ({ pointer, requirements }) => !pointer.startsWith("/x-") || requirements.length > 0,
    ),
    ...rest,
    components: mapValues(nodeOf(components), (values, kind) =>
      Object.fromEntries(entriesOf(values).filter(([name]) => isUsed(kind, name))),
    ),
  };
  return `${JSON.stringify(edition, null, 2)}\n`;
}

const about = (form: string): string => `
## This edition

This is \`openapi.json\` as ${form}. \`x-losses\` lists what it cannot express.
`;

/** The paths of all components except security schemes, which are referred to by name. */
const componentsOf = ({ components }: Node): Path[] =>
  entriesOf(components)
    .filter(([kind]) => kind !== "securitySchemes")
    .flatMap(([kind, values]) => entriesOf(values).map(([name]) => ["components", kind, name]));

/** A form of the document for tools that do not read all of OpenAPI 3.1. */
export interface Edition {
  document: Node;
  lost: Lost[];
}

/** A part of the source that an edition cannot express. */
interface Lost {
  path: Path;
  /** For a union: the properties that only some variants restrict in the source, but the edition restricts always. */
  restricted?: string[];
}

/** A row of `x-losses`. */
export interface Loss {
  /** The JSON Pointer of the part in `openapi.json`. */
  pointer: string;
  /** The requirements that are no longer encoded. */
  requirements: string[];
  restricted?: string[];
}

/**
 * The losses of an edition. A requirement is no longer encoded if each of its marks (`x-encodes`) is in a part that is lost, or at
 * the node of such a part that has no marks of its own.
 */
function lossesOf(source: Node, lost: Lost[]): Loss[] {
  const requirements = [...markedAt(source, "x-encodes")];
  const all = requirements.flatMap(([, marks]) => marks);
  const losses = lost.map(({ path, restricted }) => {
    const { pointers, node } = partAt(source, path);
    const own = all.filter((mark) =>
      pointers.some((pointer) => mark === pointer || mark.startsWith(`${pointer}/`)),
    );
    return { pointer: pointerOf(path), marks: new Set(own.length > 0 ? own : [node]), restricted };
  });
  const gone = requirements.filter(([, marks]) =>
    marks.every((mark) => losses.some((loss) => loss.marks.has(mark))),
  );
  return losses.map(({ pointer, marks, restricted }) => ({
    pointer,
    requirements: gone.filter(([, places]) => places.some((mark) => marks.has(mark))).map(([id]) => id),
    ...(restricted === undefined ? {} : { restricted }),
  }));
}

/** A part that is lost, with the component that it refers to, and the node that it belongs to. */
function partAt(source: Node, path: Path): { pointers: string[]; node: string } {
  const value = valueAt(source, path);
  const target = isNode(value) && typeof value.$ref === "string" ? [value.$ref.slice(1)] : [];
  // Without the condition, its consequences have no meaning.
  const keywords = path.at(-1) === "if" ? ["if", "then", "else"] : path.slice(-1);
  let node = path.slice(0, -1);
  while (!isNode(valueAt(source, node))) node = node.slice(0, -1);
  const pointers = keywords.map((keyword) => pointerOf([...path.slice(0, -1), keyword]));
  return { pointers: [...pointers, ...target], node: pointerOf(node) };
}

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
  const variants = listOf(schema[String(path.at(-1))]).map((variant, index): Variant => {
    const located = follow(document, [...path, index], variant);
    return { ...located, required: textsOf(listOf(located.value.required)) };
  });
  delete schema[String(path.at(-1))];
  if (variants.some(({ value }) => value.type !== "object")) return [{ path }];
  const [first, ...others] = variants.map(({ required }) => required);
  const common = (first ?? []).filter((name) => others.every((required) => required.includes(name)));
  const properties: Node = Object.assign({}, ...variants.map(({ value }) => value.properties));
  const rows = variants.map(({ value, required }) => {
    const names = required.filter((name) => !common.includes(name)).map((name) => `\`${name}\``);
    return `- ${value.description}${names.length === 0 ? "" : ` Requires ${names.join(", ")}.`}`;
  });
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

/** The schema keywords that are kept: those of OpenAPI 3.0 without `not`, for which generators have no type. */
const kept = new Set(
  `$ref allOf anyOf oneOf type nullable format enum pattern minLength maxLength minimum maximum multipleOf items minItems
  maxItems uniqueItems properties required additionalProperties minProperties maxProperties description default example
  readOnly writeOnly deprecated x-enum-varnames x-extensible-enum x-technical-limit`.split(/\s+/),
);

/** Whether dropping the keyword makes a difference: component names replace titles, and UTC is the only extension that restricts values. */
const isLoss = ([keyword, value]: [string, unknown]): boolean =>
  keyword === "x-utc-offset" ? value === "zero" : !/^(title|then|else|x-.*)$/.test(keyword);

export function openApi30(source: Node): Edition {
  const document = structuredClone(source);
  const tables = Object.keys(source).filter((key) => key.startsWith("x-"));
  const lost: Path[] = tables.map((key) => [key]);
  const places = schemas(document).filter(({ condition }) => !condition);
  // Unless it was in a keyword that is lost.
  for (const { path, schema } of places)
    if (valueAt(document, path) === schema)
      lost.push(...convert(schema).map((keyword) => [...path, keyword]));
  for (const { schema } of places) makeNullable(document, schema);
  for (const { schema } of places) inlineReference(document, schema);
  for (const { location, operation } of operationsOf(document)) {
    lost.push(...dropRoles(operation).map((path) => [...location, ...path]));
    const responses = nodeOf(operation.responses);
    // Some generators do not take `2XX` for a success.
    if ("2XX" in responses) responses["200"] ??= responses["2XX"];
  }
  const edition = { ...document, openapi: "3.0.4", info: infoOf(nodeOf(document.info)) };
  return { document: withoutExtensions(edition) as Node, lost: lost.map((path): Lost => ({ path })) };
}

/** The summary becomes a part of the description, and the SPDX identifier of the license its URL. */
function infoOf({ summary, description, license, ...info }: Node): Node {
  const { identifier, ...named } = nodeOf(license);
  return {
    ...info,
    description: [summary, description].filter((text) => text !== undefined).join("\n\n"),
    license:
      identifier === undefined ? named : { ...named, url: `https://spdx.org/licenses/${identifier}.html` },
  };
}

/** Rewrites the keywords of one schema, drops those that remain unsupported, and returns the names of those that are lost. */
function convert(schema: Node): string[] {
  const { const: only, examples, type } = schema;
  if ("const" in schema) schema.enum = [only];
  if (Array.isArray(examples)) schema.example = examples[0];
  delete schema.const;
  delete schema.examples;
  const types = listOf(type).filter((name) => name !== "null");
  if (types.length === 1) Object.assign(schema, { type: types[0], nullable: listOf(type).length > 1 });
  const dropped = Object.entries(schema).filter(([keyword]) => !kept.has(keyword));
  for (const [keyword] of dropped) delete schema[keyword];
  return dropped.filter(isLoss).map(([keyword]) => keyword);
}

/** Replaces the variant `null`: in OpenAPI 3.0, a schema that has a type can be nullable, a reference cannot. */
function makeNullable(document: Node, schema: Node): void {
  for (const keyword of ["oneOf", "anyOf"]) {
    const variants = listOf(schema[keyword]);
    const [first, ...others] = variants.filter((variant) => nodeOf(variant).type !== "null");
    if (others.length + 1 === variants.length || variants.length === 0) continue;
    const nullable = { ...resolveSchema(document, first), nullable: true };
    delete schema[keyword];
    if (others.length > 0) schema[keyword] = [nullable, ...others];
    else Object.assign(schema, nullable, { ...schema });
  }
}

/** Replaces a reference by its target if there are keywords beside it, which OpenAPI 3.0 ignores. */
function inlineReference(document: Node, schema: Node): void {
  if (schema.$ref === undefined || Object.keys(schema).length === 1) return;
  Object.assign(schema, resolveSchema(document, schema));
  delete schema.$ref;
}

/** Moves the roles of security schemes, which are for OAuth only, into the description, and returns their paths. */
function dropRoles(operation: Node): Path[] {
  const schemes = listOf(operation.security).flatMap((scheme, index) =>
    Object.entries(nodeOf(scheme)).map(([name, roles]) => ({ path: ["security", index, name], roles })),
  );
  const abilities = schemes.flatMap(({ roles }) => textsOf(listOf(roles))).map((role) => `\`${role}\``);
  if (abilities.length > 0)
    operation.description = `${operation.description} Requires the ability ${abilities.join(" or ")}.`;
  operation.security = listOf(operation.security).map((scheme) => mapValues(nodeOf(scheme), () => []));
  return schemes.filter(({ roles }) => listOf(roles).length > 0).map(({ path }) => path);
}

/** A copy without the extensions of everything but schemas. The values of examples are data. */
function withoutExtensions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (!isNode(value)) return value;
  const own = Object.entries(value).filter(([key]) => !key.startsWith("x-"));
  const data = new Set(["schema", "schemas", "example", "value"]);
  return Object.fromEntries(own.map(([key, part]) => [key, data.has(key) ? part : withoutExtensions(part)]));
}
