import { operationsOf } from "../../../../scripts/document/operations.ts";
import { dereference } from "../../../../scripts/document/references.ts";
import type {
  Header,
  OpenApiDocument,
  Parameter,
  ResponseObject,
} from "../../../../scripts/document/types.ts";
import type { Facts, Spot } from "./fact.ts";
import { failureFacts, headerFacts, parameterFacts } from "./operation.ts";
import type { Reading } from "./schema.ts";

const on = (...trail: string[]): Spot => ({ page: "making-requests", trail });

/** What the document says of all calls. */
export function makingRequestsFacts(reading: Reading): void {
  const { document, facts } = reading;
  const { info } = document;
  facts.say(on(), "summary", info.summary);
  for (const text of (info.description ?? "").split("\n\n")) facts.say(on(), "description", text);
  facts.marks(on(), info);
  contractFacts(document, facts);
  for (const tag of document.tags) {
    facts.say(on("Operation groups", tag.name), "tag", tag.description);
    facts.marks(on("Operation groups", tag.name), tag);
  }
  for (const [name, reference] of Object.entries(document.components.headers ?? {})) {
    const header = dereference<Header>(document, reference);
    const spot = on("Response headers", name);
    headerFacts(reading, spot, header);
    for (const id of header["x-operations"] ?? []) facts.say(spot, "header", id);
    for (const sent of namesOf(document, header)) facts.say(spot, "header", sent);
  }
  for (const reference of Object.values(document.components.parameters ?? {})) {
    const parameter = dereference<Parameter>(document, reference);
    if (!operationsOf(document).some(({ parameters }) => parameters.includes(parameter)))
      parameterFacts(reading, on("Unused parameters"), parameter);
  }
  for (const [status, reference] of Object.entries(document["x-gateway-responses"] ?? {}))
    failureFacts(
      reading,
      on("Gateway responses", status),
      dereference<ResponseObject>(document, reference),
      ({ operations }) => operations.length === 0,
    );
  idempotencyFacts(reading);
}

function contractFacts({ info, servers }: OpenApiDocument, facts: Facts): void {
  for (const server of servers) {
    facts.say(on("Base URL"), "server", `${server.url}: ${server.description}`);
    facts.marks(on("Base URL"), server);
    for (const [name, variable] of Object.entries(server.variables ?? {}))
      for (const text of [name, variable.default, variable.description])
        facts.say(on("Base URL"), "server", text);
  }
  const { contact, license } = info;
  for (const text of [info.title, info.version, contact?.name, license?.name])
    facts.say(on("OpenAPI document"), "document", text);
}

/** The names under which answers have a header. */
const namesOf = (document: OpenApiDocument, header: Header): string[] =>
  operationsOf(document)
    .flatMap(({ operation }) => Object.values(operation.responses))
    .flatMap((answer) => Object.entries(dereference<ResponseObject>(document, answer).headers ?? {}))
    .flatMap(([name, reference]) => (dereference<Header>(document, reference) === header ? [name] : []));

function idempotencyFacts(reading: Reading): void {
  const { document, facts } = reading;
  const page = "idempotency";
  for (const { id, operation, parameters } of operationsOf(document))
    for (const parameter of parameters.filter(({ in: place }) => place === "header")) {
      parameterFacts(reading, { page, trail: ["Request header"] }, parameter);
      const place = { page, trail: ["Operations", id] };
      facts.say(place, "summary", operation.summary);
    }
}
