import type { PlacedOperation } from "../../../../scripts/document/operations.ts";
import { dereference } from "../../../../scripts/document/references.ts";
import type {
  ErrorRow,
  Example,
  Header,
  Operation,
  Parameter,
  ResponseObject,
} from "../../../../scripts/document/types.ts";
import { below, errorPath, inWords, type Location, operationLocation } from "./fact.ts";
import { type FactContext, resolveSchema, schemaFacts, valueFacts } from "./schema.ts";

/** What the document says of an operation. */
export function operationFacts(
  context: FactContext,
  { id, path, method, operation, parameters }: PlacedOperation,
): void {
  const { document, facts } = context;
  const location = operationLocation(id);
  facts.add(location, "operationId", id);
  facts.add(location, "endpoint", `${method.toUpperCase()} ${path}`);
  facts.add(location, "summary", operation.summary);
  facts.add(location, "description", operation.description);
  facts.add(location, "deprecated", operation.deprecated === true ? "Deprecated." : undefined);
  for (const ability of operation.security.flatMap((scheme) => Object.values(scheme).flat())) {
    facts.add(location, "ability", `the ability ${ability}`);
    facts.addLink(location, `abilities/#${ability.replace(":", "")}`);
  }
  for (const tag of document.tags.filter(({ name }) => operation.tags.includes(name))) {
    if (tag["x-product"] !== undefined) facts.add(location, "product", `the product ${tag["x-product"]}`);
    const domain = "a verified sending domain";
    if (tag["x-requires-verified-domain"] === true) facts.add(location, "verified domain", domain);
    else facts.addAbsent(location, "verified domain", domain);
  }
  facts.addIds(location, operation);
  for (const parameter of parameters) parameterFacts(context, below(location, "Parameters"), parameter);
  bodyFacts(context, location, operation);
  for (const [status, reference] of Object.entries(operation.responses)) {
    const response = dereference<ResponseObject>(document, reference);
    if (status.startsWith("2"))
      successFacts(context, below(location, "Success responses", statusHeading(status)), response);
    else
      errorFacts(context, below(location, "Error responses", status), response, (row) =>
        row.operations.includes(id),
      );
  }
}

const statusHeading = (status: string): string => (status === "2XX" ? "Any 2xx" : status);

const parameterKinds = { path: "path parameter", query: "query parameter", header: "header" };

export function parameterFacts(context: FactContext, within: Location, parameter: Parameter): void {
  const { facts } = context;
  const location = below(within, parameter.name);
  facts.add(location, "parameter", parameter.name);
  facts.add(location, "kind", parameterKinds[parameter.in], "type");
  facts.add(location, "description", parameter.description);
  facts.add(location, "example", parameter.example);
  facts.addIds(location, parameter);
  valueFacts(context, location, parameter.schema, parameter.required === true);
}

function bodyFacts(context: FactContext, page: Location, { requestBody }: Operation): void {
  const { facts } = context;
  for (const [mediaType, { schema, examples }] of Object.entries(requestBody?.content ?? {})) {
    const location = below(page, "Body");
    facts.add(location, "media type", mediaType);
    facts.add(location, "required", requestBody?.required === true ? "required" : undefined);
    facts.add(location, "description", requestBody?.description);
    facts.add(location, "description", resolveSchema(context, schema).description);
    schemaFacts(context, location, schema);
    exampleFacts(context, below(page, "Body examples"), examples);
  }
}

function successFacts(context: FactContext, location: Location, response: ResponseObject): void {
  responseFacts(context, location, response);
  for (const { schema } of Object.values(response.content ?? {})) {
    const { title, description } = resolveSchema(context, schema);
    context.facts.add(location, "type", title === undefined ? undefined : inWords(title));
    context.facts.add(location, "description", description);
    schemaFacts(context, location, schema);
  }
  for (const link of Object.values(response.links ?? {}) as { operationId: string; description: string }[]) {
    const inner = below(location, link.operationId);
    context.facts.add(inner, "description", link.description);
    context.facts.addLink(inner, `${operationLocation(link.operationId).page}/`);
  }
}

/** An error response with its errors. */
export function errorFacts(
  context: FactContext,
  location: Location,
  response: ResponseObject,
  applies: (row: ErrorRow) => boolean,
): void {
  const rows = context.document["x-errors"].filter(
    ({ status }) => String(status) === location.section.at(-1),
  );
  responseFacts(context, location, response, rows.filter(applies));
  if (response["x-empty-body"] === true) context.facts.add(location, "empty body", "may have no body");
  else context.facts.addAbsent(location, "empty body", "may have no body");
  const types = new Set(rows.filter(applies).map(({ type }) => type));
  for (const row of rows) {
    const inner = below(location, row.type ?? "any type");
    if (!types.has(row.type)) context.facts.addNoSection(inner, "error");
    if (!applies(row)) continue;
    context.facts.addLink(inner, errorPath(row));
    for (const text of [`${row.when} ${row.resolution}`, retryAdvice[row.retry]])
      context.facts.add(inner, "error", text);
  }
}

const retryAdvice = {
  never: "do not retry",
  after: "Retry after the time in Retry-After",
  backoff: "Retry with backoff",
};

function responseFacts(
  context: FactContext,
  location: Location,
  response: ResponseObject,
  errors: readonly ErrorRow[] = [],
): void {
  // A response is not described if one of its errors has the same description.
  const error = errors.find(({ when }) => when === response.description);
  const described = error === undefined ? location : below(location, error.type ?? "any type");
  context.facts.add(described, "description", response.description);
  context.facts.addIds(location, response);
  for (const [name, reference] of Object.entries(response.headers ?? {}))
    headerFacts(context, below(location, name), dereference<Header>(context.document, reference));
  for (const { examples } of Object.values(response.content ?? {})) exampleFacts(context, location, examples);
}

export function headerFacts(context: FactContext, location: Location, header: Header): void {
  const { facts } = context;
  facts.add(location, "header", location.section.at(-1));
  facts.add(location, "description", header.description);
  facts.add(location, "example", header.example);
  facts.addIds(location, header);
  if (header.required === true) facts.add(location, "required", "always present", "type");
  else facts.addAbsent(location, "required", "always present", "type");
  valueFacts(context, location, { ...resolveSchema(context, header.schema), description: "" });
}

function exampleFacts(
  { document, facts }: FactContext,
  within: Location,
  examples: Record<string, Example | { $ref: string }>,
): void {
  for (const [name, reference] of Object.entries(examples)) {
    const example = dereference<Example>(document, reference);
    const location = below(within, name);
    facts.add(location, "example name", name);
    facts.add(location, "summary", example.summary);
    facts.add(location, "description", example.description);
    facts.add(location, "example value", JSON.stringify(example.value, null, 2), "code");
  }
}
