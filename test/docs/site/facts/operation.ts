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
import { below, errorPath, operationSpot, type Spot } from "./fact.ts";
import { type Reading, schemaFacts, valueFacts, whole } from "./schema.ts";

/** What the document says of an operation. */
export function operationFacts(
  reading: Reading,
  { id, path, method, operation, parameters }: PlacedOperation,
): void {
  const { document, facts } = reading;
  const spot = operationSpot(id);
  facts.say(spot, "operationId", id);
  facts.say(spot, "call", `${method.toUpperCase()} ${path}`);
  facts.say(spot, "summary", operation.summary);
  facts.say(spot, "description", operation.description);
  facts.say(spot, "deprecated", operation.deprecated === true ? "Deprecated." : undefined);
  for (const ability of operation.security.flatMap((scheme) => Object.values(scheme).flat())) {
    facts.say(spot, "ability", `the ability `);
    facts.leads(spot, `abilities/#${ability.replace(":", "")}`);
  }
  facts.marks(spot, operation);
  for (const parameter of parameters) parameterFacts(reading, below(spot, "Parameters"), parameter);
  bodyFacts(reading, spot, operation);
  for (const [status, reference] of Object.entries(operation.responses)) {
    const answer = dereference<ResponseObject>(document, reference);
    if (status.startsWith("2"))
      successFacts(reading, below(spot, "Success responses", statusWords(status)), answer);
    else
      failureFacts(reading, below(spot, "Error responses", status), answer, (row) =>
        row.operations.includes(id),
      );
  }
}

const statusWords = (status: string): string => (status === "2XX" ? "Any 2xx" : status);

/** What is said of a parameter of the path, the query or the headers. */
export function parameterFacts(reading: Reading, within: Spot, parameter: Parameter): void {
  const { facts } = reading;
  const spot = below(within, parameter.name);
  facts.say(spot, "parameter", parameter.name);
  facts.say(spot, "place", parameter.in, "type");
  facts.say(spot, "description", parameter.description);
  facts.say(spot, "example", parameter.example);
  facts.marks(spot, parameter);
  valueFacts(reading, spot, parameter.schema, parameter.required === true);
}

function bodyFacts(reading: Reading, page: Spot, { requestBody }: Operation): void {
  const { facts } = reading;
  for (const [mediaType, { schema, examples }] of Object.entries(requestBody?.content ?? {})) {
    const spot = below(page, "Body");
    facts.say(spot, "media type", mediaType);
    facts.say(spot, "required", requestBody?.required === true ? "required" : undefined);
    facts.say(spot, "description", requestBody?.description);
    facts.say(spot, "description", whole(reading, schema).description);
    schemaFacts(reading, spot, schema);
    exampleFacts(reading, below(page, "Body examples"), examples);
  }
}

function successFacts(reading: Reading, spot: Spot, answer: ResponseObject): void {
  answerFacts(reading, spot, answer);
  for (const { schema } of Object.values(answer.content ?? {})) {
    const { title, description } = whole(reading, schema);
    reading.facts.say(spot, "type", title);
    reading.facts.say(spot, "description", description);
    schemaFacts(reading, spot, schema);
  }
  for (const link of Object.values(answer.links ?? {}) as { operationId: string; description: string }[]) {
    const place = below(spot, link.operationId);
    reading.facts.say(place, "description", link.description);
    reading.facts.leads(place, `${operationSpot(link.operationId).page}/`);
  }
}

/** What is said of an answer that is a failure, and of the errors that come with it. */
export function failureFacts(
  reading: Reading,
  spot: Spot,
  answer: ResponseObject,
  concerns: (row: ErrorRow) => boolean,
): void {
  answerFacts(reading, spot, answer);
  if (answer["x-empty-body"] === true) reading.facts.say(spot, "empty body", "may have no body");
  else reading.facts.sayNot(spot, "empty body", "may have no body");
  const rows = reading.document["x-errors"].filter(({ status }) => String(status) === spot.trail.at(-1));
  const types = new Set(rows.filter(concerns).map(({ type }) => type));
  for (const row of rows) {
    const place = below(spot, row.type ?? "any type");
    if (!types.has(row.type)) reading.facts.noPlace(place, "error");
    if (!concerns(row)) continue;
    reading.facts.leads(place, errorPath(row));
    for (const text of [`${row.when} ${row.resolution}`, repeating[row.retry]])
      reading.facts.say(place, "error", text);
  }
}

const repeating = {
  never: "do not retry",
  after: "Retry after the time in Retry-After",
  backoff: "Retry with backoff",
};

function answerFacts(reading: Reading, spot: Spot, answer: ResponseObject): void {
  // Where an answer is described in the words of its only error, these stand there once.
  const rows = reading.document["x-errors"].filter(({ when }) => when === answer.description);
  const [row] = rows;
  const saysSo = row !== undefined && String(row.status) === spot.trail.at(-1);
  const words = saysSo ? below(spot, row.type ?? "any type") : spot;
  reading.facts.say(words, "description", answer.description);
  reading.facts.marks(spot, answer);
  for (const [name, reference] of Object.entries(answer.headers ?? {}))
    headerFacts(reading, below(spot, name), dereference<Header>(reading.document, reference));
  for (const { examples } of Object.values(answer.content ?? {})) exampleFacts(reading, spot, examples);
}

/** What is said of a header of an answer. */
export function headerFacts(reading: Reading, spot: Spot, header: Header): void {
  const { facts } = reading;
  facts.say(spot, "header", spot.trail.at(-1));
  facts.say(spot, "description", header.description);
  facts.say(spot, "example", header.example);
  facts.marks(spot, header);
  if (header.required === true) facts.say(spot, "required", "always present", "type");
  else facts.sayNot(spot, "required", "always present", "type");
  valueFacts(reading, spot, { ...whole(reading, header.schema), description: "" });
}

function exampleFacts(
  { document, facts }: Reading,
  within: Spot,
  examples: Record<string, Example | { $ref: string }>,
): void {
  for (const [name, reference] of Object.entries(examples)) {
    const example = dereference<Example>(document, reference);
    const spot = below(within, name);
    facts.say(spot, "example name", name);
    facts.say(spot, "summary", example.summary);
    facts.say(spot, "description", example.description);
    facts.say(spot, "example value", JSON.stringify(example.value, null, 2), "code");
  }
}
