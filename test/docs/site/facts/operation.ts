import { operationsOf, type PlacedOperation } from "../../../../scripts/document/operations.ts";
import { dereference } from "../../../../scripts/document/references.ts";
import { baseUrlOf } from "../../../../scripts/document/requests.ts";
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
import { errorLocation, retryAdvice } from "./tables.ts";

/** What the document says of an operation. */
export function operationFacts(context: FactContext, placed: PlacedOperation): void {
  const { document, facts } = context;
  const { id, path, method, operation, parameters } = placed;
  const location = operationLocation(id);
  facts.add(below(location, "Operation id"), "operationId", id);
  facts.add(location, "endpoint", `${method.toUpperCase()} ${baseUrlOf(document)}${path}`);
  facts.add(location, "summary", operation.summary);
  facts.add(location, "description", operation.description);
  facts.add(location, "deprecated", operation.deprecated === true ? "Deprecated." : undefined);
  for (const ability of operation.security.flatMap((scheme) => Object.values(scheme).flat())) {
    facts.add(below(location, "Ability"), "ability", ability);
    facts.addLink(below(location, "Ability"), `abilities/#${ability.replace(":", "")}`);
  }
  accountFacts(context, placed);
  facts.addIds(location, operation);
  for (const parameter of parameters) parameterFacts(context, below(location, "Parameters"), parameter);
  bodyFacts(context, location, operation);
  for (const [status, reference] of Object.entries(operation.responses)) {
    const response = dereference<ResponseObject>(document, reference);
    if (status.startsWith("2")) successFacts(context, location, statusHeading(status), response);
    else operationErrorFacts(context, location, { status, response, operationId: id });
  }
}

function accountFacts({ document, facts }: FactContext, { id, operation }: PlacedOperation): void {
  const location = below(operationLocation(id), "Account");
  for (const tag of document.tags.filter(({ name }) => operation.tags.includes(name))) {
    const { "x-product": product, "x-requires-verified-domain": isDomainRequired = false } = tag;
    if (product === undefined && !isDomainRequired) facts.addNoSection(location, "account");
    if (product === undefined) continue;
    facts.add(location, "product", `product ${product}`);
    const domain = "a verified sending domain";
    if (isDomainRequired) facts.add(location, "verified domain", domain);
    else facts.addAbsent(location, "verified domain", domain);
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
    exampleFacts(context, location, examples);
  }
}

function successFacts(context: FactContext, page: Location, status: string, response: ResponseObject): void {
  const location = below(page, "Response", status);
  describedFacts(context, location, response);
  headersFacts(context, location, response);
  for (const { schema, examples } of Object.values(response.content ?? {})) {
    const { title, description } = resolveSchema(context, schema);
    context.facts.add(location, "type", title === undefined ? undefined : inWords(title));
    context.facts.add(location, "description", description);
    schemaFacts(context, location, schema);
    exampleFacts(context, below(page, "Response examples", status), examples);
  }
  for (const link of Object.values(response.links ?? {}) as { operationId: string; description: string }[]) {
    const inner = below(page, "After this request", link.operationId);
    context.facts.add(inner, "description", link.description);
    context.facts.addLink(inner, `${operationLocation(link.operationId).page}/`);
  }
}

interface OperationError {
  status: string;
  response: ResponseObject;
  operationId: string;
}

/** Each error has a row in the table of the operation. What every operation has is described by the page of errors. */
function operationErrorFacts(context: FactContext, page: Location, error: OperationError): void {
  const { document, facts } = context;
  const { status, response, operationId } = error;
  const rows = document["x-errors"].filter((row) => String(row.status) === status);
  const applies = ({ operations }: ErrorRow): boolean => operations.includes(operationId);
  const section = below(page, "Errors");
  const isShared = operationsOf(document).every(
    ({ operation: { responses } }) =>
      responses[status] !== undefined && dereference(document, responses[status]) === response,
  );
  for (const row of rows) {
    const location = isShared ? errorLocation(row) : below(section, `| ${rowName(row)}`);
    const isListed = !isShared && rows.some((other) => applies(other) && other.type === row.type);
    if (!isListed) facts.addNoSection(below(section, `| ${rowName(row)}`), "error");
    if (!applies(row)) continue;
    facts.addLink(isShared ? section : location, errorPath(row));
    facts.add(location, "error", [`${row.when} ${row.resolution}`, retryAdvice[row.retry]]);
    errorExampleFacts(context, location, row, response);
    if (isShared) headersFacts(context, location, response);
    else sharedHeaderFacts(context, section, error);
    emptyBodyFact(context, location, response);
  }
  const [first] = rows.filter(applies);
  if (first === undefined) return;
  describedFacts(context, isShared ? errorLocation(first) : below(section, `| ${rowName(first)}`), response);
}

const rowName = ({ status, type }: ErrorRow): string =>
  type === null ? String(status) : `${status} ${type}`;

/** The examples of a response are in the rows of their types. */
function errorExampleFacts(
  context: FactContext,
  location: Location,
  { type }: ErrorRow,
  response: ResponseObject,
): void {
  for (const { examples } of Object.values(response.content ?? {})) {
    const matching = Object.entries(examples).filter(([, reference]) => {
      const { value } = dereference<Example>(context.document, reference);
      return type === null || (value as { error: { type: string } }).error.type === type;
    });
    exampleFacts(context, location, Object.fromEntries(matching));
  }
}

/** The headers of error responses are listed once, with the statuses that have them. */
function sharedHeaderFacts(
  context: FactContext,
  section: Location,
  { status, response }: OperationError,
): void {
  headersFacts(context, section, response);
  for (const name of Object.keys(response.headers ?? {}))
    context.facts.add(below(section, name), "status", status);
}

/** A response of the gateway with its errors. */
export function gatewayFacts(context: FactContext, location: Location, response: ResponseObject): void {
  const rows = context.document["x-errors"].filter(
    ({ status }) => String(status) === location.section.at(-1),
  );
  const own = rows.filter(({ operations }) => operations.length === 0);
  const error = own.find(({ when }) => when === response.description);
  const described = error === undefined ? location : below(location, error.type ?? "any type");
  context.facts.add(described, "description", response.description);
  context.facts.addIds(location, response);
  headersFacts(context, location, response);
  emptyBodyFact(context, location, response);
  for (const { examples } of Object.values(response.content ?? {})) exampleFacts(context, location, examples);
  for (const row of rows) {
    const inner = below(location, row.type ?? "any type");
    if (!own.some(({ type }) => type === row.type)) context.facts.addNoSection(inner, "error");
    if (!own.includes(row)) continue;
    context.facts.addLink(inner, errorPath(row));
    context.facts.add(inner, "error", [`${row.when} ${row.resolution}`, retryAdvice[row.retry]]);
  }
}

function emptyBodyFact({ facts }: FactContext, location: Location, response: ResponseObject): void {
  const text = "may have no body";
  if (response["x-empty-body"] === true) facts.add(location, "empty body", text);
  else facts.addAbsent(location, "empty body", text);
}

function describedFacts({ facts }: FactContext, location: Location, response: ResponseObject): void {
  facts.add(location, "description", response.description);
  facts.addIds(location, response);
}

function headersFacts(context: FactContext, location: Location, { headers = {} }: ResponseObject): void {
  for (const [name, reference] of Object.entries(headers))
    headerFacts(context, below(location, name), dereference<Header>(context.document, reference));
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
    const location = below(within, `example ${name}`);
    facts.add(location, "example name", name);
    facts.add(location, "summary", example.summary);
    facts.add(location, "description", example.description);
    facts.add(location, "example value", JSON.stringify(example.value, null, 2), "code");
  }
}
