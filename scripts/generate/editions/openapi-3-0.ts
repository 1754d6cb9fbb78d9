import { mapValues } from "../../../lib/map-values.ts";
import { valueAt } from "../../document/json-pointer.ts";
import { operationsOf } from "../../document/operations.ts";
import { resolveSchema } from "../../document/references.ts";
import { schemas } from "../../document/schemas.ts";
import { isNode, listOf, type Node, nodeOf, type Path, textsOf } from "../../document/values.ts";
import type { Edition, Lost } from "./edition.ts";

/** The schema keywords that are kept: those of OpenAPI 3.0 without `not`, for which generators have no type. */
const kept = new Set(
  `$ref allOf anyOf oneOf type nullable format enum pattern minLength maxLength minimum maximum multipleOf items minItems
  maxItems uniqueItems properties required additionalProperties minProperties maxProperties description default example
  readOnly writeOnly deprecated x-enum-varnames x-extensible-enum x-technical-limit`.split(/\s+/),
);

/** Keywords that have no meaning of their own: component names replace titles. */
const silent = new Set(["title", "then", "else"]);

/** Whether dropping the keyword makes a difference; UTC is the only extension that restricts values. */
const isLoss = ([keyword, value]: [string, unknown]): boolean =>
  keyword === "x-utc-offset" ? value === "zero" : !silent.has(keyword) && !keyword.startsWith("x-");

/** The document in OpenAPI 3.0.4. */
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
    addStatus(nodeOf(operation.responses));
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

/** Adds an explicit status next to `2XX`, which some generators do not take for a success. */
function addStatus(responses: Node): void {
  if ("2XX" in responses) responses["200"] ??= responses["2XX"];
}

/** A copy without the extensions of everything but schemas. The values of examples are data. */
function withoutExtensions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (!isNode(value)) return value;
  const own = Object.entries(value).filter(([key]) => !key.startsWith("x-"));
  const data = new Set(["schema", "schemas", "example", "value"]);
  return Object.fromEntries(own.map(([key, part]) => [key, data.has(key) ? part : withoutExtensions(part)]));
}
