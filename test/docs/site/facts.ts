import type {
  Answer,
  ErrorRow,
  Example,
  Header,
  OpenApiDocument,
  Operation,
  Parameter,
  Schema,
} from "../../../scripts/document.ts";
import { operationsOf, type PlacedOperation } from "../../../scripts/operations.ts";
import { nameOf, resolved } from "../../../scripts/reference.ts";

/** Something that the document says, and the page on which a reader looks for it. */
export interface Fact {
  page: string;
  /** What kind of thing it is: "description", "header", ... */
  kind: string;
  text: string;
}

type Say = (kind: string, text: unknown) => void;

const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? "" : "-"}${letter.toLowerCase()}`);
const bounds = "minLength maxLength minItems maxItems minProperties maxProperties minimum maximum".split(" ");

/** Every fact of the document that the site must show. Knows nothing of how the pages are made. */
export function factsOf(document: OpenApiDocument): Fact[] {
  const facts: Fact[] = [];
  const sayOn =
    (page: string): Say =>
    (kind, text) => {
      if (text !== undefined && text !== null && text !== "") facts.push({ page, kind, text: String(text) });
    };
  for (const placed of operationsOf(document))
    operationFacts(document, placed, sayOn(`operations/${kebab(placed.id)}`));
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    const say = sayOn(schema.title === undefined ? "objects/values" : `objects/${kebab(name)}`);
    say("schema", name);
    schemaFacts(document, schema, say, new Set());
  }
  tableFacts(document, sayOn);
  return facts;
}

function operationFacts(
  document: OpenApiDocument,
  { id, path, method, operation, parameters }: PlacedOperation,
  say: Say,
): void {
  say("operationId", id);
  say("call", `${method.toUpperCase()} ${path}`);
  say("summary", operation.summary);
  say("description", operation.description);
  for (const ability of operation.security.flatMap((scheme) => Object.values(scheme).flat()))
    say("ability", ability);
  marks(operation, say);
  for (const parameter of parameters) parameterFacts(document, parameter, say);
  bodyFacts(document, operation, say);
  for (const [status, reference] of Object.entries(operation.responses)) {
    say("status", status.replace("XX", "xx"));
    answerFacts(document, resolved<Answer>(document, reference), status.startsWith("2"), say);
  }
  for (const row of document["x-errors"]) if (row.operations.includes(id)) errorFacts(row, say);
  for (const row of Object.values(document["x-requirements"]).flat())
    if (row.operations.includes(id)) {
      say("requirement id", row.id);
      say("requirement", row.text);
    }
}

function parameterFacts(document: OpenApiDocument, parameter: Parameter, say: Say): void {
  say("parameter", parameter.name);
  say("description", parameter.description);
  say("example", parameter.example);
  marks(parameter, say);
  schemaFacts(document, parameter.schema, say, new Set());
}

function bodyFacts(document: OpenApiDocument, { requestBody }: Operation, say: Say): void {
  for (const [mediaType, { schema, examples }] of Object.entries(requestBody?.content ?? {})) {
    say("media type", mediaType);
    say("description", requestBody?.description);
    schemaFacts(document, schema, say, new Set());
    exampleFacts(document, examples, say);
  }
}

function answerFacts(document: OpenApiDocument, answer: Answer, withFields: boolean, say: Say): void {
  say("description", answer.description);
  marks(answer, say);
  for (const [name, reference] of Object.entries(answer.headers ?? {})) {
    const header = resolved<Header>(document, reference);
    say("header", name);
    say("description", header.description);
    say("example", header.example);
    marks(header, say);
  }
  for (const { schema, examples } of Object.values(answer.content ?? {})) {
    if (withFields) schemaFacts(document, schema, say, new Set());
    exampleFacts(document, examples, say);
  }
  for (const link of Object.values(answer.links ?? {}) as { operationId: string; description: string }[]) {
    say("link", link.operationId);
    say("description", link.description);
  }
}

function exampleFacts(
  document: OpenApiDocument,
  examples: Record<string, Example | { $ref: string }>,
  say: Say,
): void {
  for (const [name, reference] of Object.entries(examples)) {
    const example = resolved<Example>(document, reference);
    say("example name", name);
    say("summary", example.summary);
    say("description", example.description);
    for (const value of leaves(example.value)) say("example value", value);
  }
}

/** The simple values within a value. */
const leaves = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null
    ? Object.values(value).flatMap(leaves)
    : [typeof value === "string" ? JSON.stringify(value).slice(1, -1) : value];

function schemaFacts(document: OpenApiDocument, schema: Schema, say: Say, seen: Set<string>): void {
  marks(schema, say);
  say("description", schema.description);
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    if (seen.has(name)) return;
    const { description, ...target } = resolved<Schema>(document, { $ref: schema.$ref });
    // The words of the place stand for those of the schema.
    const words = schema.description === undefined && description !== undefined ? { description } : {};
    schemaFacts(document, { ...target, ...words }, say, new Set([...seen, name]));
    return;
  }
  for (const bound of bounds)
    if (schema[bound] !== undefined) say(bound, Number(schema[bound]).toLocaleString("en-US"));
  for (const keyword of ["pattern", "format", "contentEncoding", "const", "default"]) {
    const plain = keyword === "format" && /^int/.test(String(schema.format));
    if (!plain) say(keyword, schema[keyword]);
  }
  for (const value of [...((schema.enum as unknown[]) ?? []), ...(schema["x-extensible-enum"] ?? [])])
    say("value", value);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    say("field", name);
    schemaFacts(document, field, say, seen);
  }
  const below = [
    schema.items,
    schema.additionalProperties,
    schema.propertyNames,
    ...(schema.oneOf ?? []),
    ...(schema.anyOf ?? []),
  ];
  for (const child of below)
    if (typeof child === "object" && child !== null) schemaFacts(document, child as Schema, say, seen);
}

function errorFacts(row: ErrorRow, say: Say): void {
  say("error type", row.type);
  say("error", row.when);
  say("remedy", row.remedy);
}

function marks(place: object, say: Say): void {
  const { "x-encodes": encoded = [], "x-leaves-open": open = [] } = place as Schema;
  for (const id of [...encoded, ...open]) say("id", id);
}

function tableFacts(document: OpenApiDocument, sayOn: (page: string) => Say): void {
  for (const row of document["x-errors"]) {
    errorFacts(row, sayOn("errors"));
    sayOn("errors")("status", row.status);
    marks(row, sayOn("errors"));
  }
  for (const [name, limit] of Object.entries(document["x-limits"])) {
    for (const text of [name, limit.description, limit.unit]) sayOn("limits")("limit", text);
    marks(limit, sayOn("limits"));
  }
  for (const [ability, row] of Object.entries(document["x-abilities"])) {
    sayOn("abilities")("ability", ability);
    sayOn("abilities")("description", row.description);
  }
  for (const row of Object.values(document["x-requirements"]).flat()) {
    sayOn("requirements")("requirement id", row.id);
    sayOn("requirements")("requirement", row.text);
    sayOn("requirements")("reason", row.excluded);
  }
  for (const row of document["x-unspecified"])
    for (const text of [row.id, row.text]) sayOn("unspecified")("open", text);
  for (const lifecycle of Object.values(document["x-lifecycles"])) {
    sayOn("lifecycles")("description", lifecycle.description);
    for (const row of lifecycle.transitions)
      for (const text of [row.on, row.when, row.effect, row.to, row.error, ...(row.from ?? [])])
        sayOn("lifecycles")("transition", text);
  }
  for (const row of document["x-simulator"].recipients)
    for (const text of [row.localPart, row.description, ...row.states]) sayOn("simulator")("recipient", text);
  const versioning = document["x-versioning"];
  for (const text of [
    versioning?.added,
    versioning?.never,
    versioning?.history,
    versioning?.breaking,
    versioning?.deprecation,
  ].flat())
    sayOn("versioning")("rule", text);
  for (const text of (document.info.description ?? "").split("\n\n")) sayOn("calling")("description", text);
  for (const tag of document.tags)
    for (const text of [tag.name, tag.description]) sayOn("calling")("tag", text);
}
