import { operationsOf } from "../../../../scripts/document/operations.ts";
import { dereference } from "../../../../scripts/document/references.ts";
import type {
  Header,
  OpenApiDocument,
  Parameter,
  ResponseObject,
} from "../../../../scripts/document/types.ts";
import type { Facts, Location } from "./fact.ts";
import { gatewayFacts, headerFacts, parameterFacts } from "./operation.ts";
import type { FactContext } from "./schema.ts";

const on = (...section: string[]): Location => ({ page: "making-requests", section });

/** What the document says about all requests. */
export function makingRequestsFacts(context: FactContext): void {
  const { document, facts } = context;
  const { info } = document;
  facts.add(on(), "summary", info.summary);
  let location = on();
  for (const text of (info.description ?? "").split("\n\n")) {
    const [, heading] = /^## (.+)$/.exec(text) ?? [];
    if (heading !== undefined) location = on(heading);
    else facts.add(location, "description", text);
  }
  facts.addIds(location, info);
  facts.add(on("Examples"), "examples", document["x-example-time"]);
  contractFacts(document, facts);
  for (const tag of document.tags) {
    facts.add(on("Operation groups", tag.name), "tag", tag.description);
    facts.addIds(on("Operation groups", tag.name), tag);
  }
  for (const [name, reference] of Object.entries(document.components.headers ?? {})) {
    const header = dereference<Header>(document, reference);
    const location = on("Response headers", name);
    headerFacts(context, location, header);
    for (const id of header["x-operations"] ?? []) facts.add(location, "header", id);
    for (const sent of namesOf(document, header)) facts.add(location, "header", sent);
  }
  for (const reference of Object.values(document.components.parameters ?? {})) {
    const parameter = dereference<Parameter>(document, reference);
    if (!operationsOf(document).some(({ parameters }) => parameters.includes(parameter)))
      parameterFacts(context, on("Unused parameters"), parameter);
  }
  for (const [status, reference] of Object.entries(document["x-gateway-responses"] ?? {}))
    gatewayFacts(context, on("Gateway responses", status), dereference<ResponseObject>(document, reference));
  idempotencyFacts(context);
}

function contractFacts({ info, servers }: OpenApiDocument, facts: Facts): void {
  for (const server of servers) {
    facts.add(on("Base URL"), "server", `${server.url}: ${server.description}`);
    facts.addIds(on("Base URL"), server);
    for (const [name, variable] of Object.entries(server.variables ?? {}))
      for (const text of [name, variable.default, variable.description])
        facts.add(on("Base URL"), "server", text);
  }
  const { contact, license } = info;
  for (const text of [info.title, info.version, contact?.name, license?.name])
    facts.add(on("OpenAPI document"), "document", text);
}

/** The names under which responses have a header. */
const namesOf = (document: OpenApiDocument, header: Header): string[] =>
  operationsOf(document)
    .flatMap(({ operation }) => Object.values(operation.responses))
    .flatMap((response) => Object.entries(dereference<ResponseObject>(document, response).headers ?? {}))
    .flatMap(([name, reference]) => (dereference<Header>(document, reference) === header ? [name] : []));

function idempotencyFacts(context: FactContext): void {
  const { document, facts } = context;
  const page = "idempotency";
  for (const { id, operation, parameters } of operationsOf(document))
    for (const parameter of parameters.filter((one) => one.in === "header")) {
      parameterFacts(context, { page, section: ["Request header"] }, parameter);
      facts.add({ page, section: ["Operations", id] }, "summary", operation.summary);
    }
}
