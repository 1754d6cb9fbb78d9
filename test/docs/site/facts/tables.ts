import { limits } from "../../../../generated/limits.ts";
import { operationsOf } from "../../../../scripts/document/operations.ts";
import { dereference } from "../../../../scripts/document/references.ts";
import type {
  ErrorRow,
  Header,
  Lifecycle,
  OpenApiDocument,
  Parameter,
  ResponseObject,
  Transition,
} from "../../../../scripts/document/types.ts";
import type { TraceRow } from "../../../../scripts/trace/table.ts";
import { below, errorPath, type Facts, type Location, operationLocation } from "./fact.ts";
import { gatewayFacts, headerFacts, parameterFacts } from "./operation.ts";
import type { FactContext } from "./schema.ts";

const inRequests = (...section: string[]): Location => ({ page: "making-requests", section });

/** What the document says about all requests. */
export function makingRequestsFacts(context: FactContext): void {
  const { document, facts } = context;
  const { info } = document;
  facts.add(inRequests(), "summary", info.summary);
  let location = inRequests();
  for (const text of (info.description ?? "").split("\n\n")) {
    const [, heading] = /^## (.+)$/.exec(text) ?? [];
    if (heading !== undefined) location = inRequests(heading);
    else facts.add(location, "description", text);
  }
  facts.addIds(location, info);
  facts.add(inRequests("Examples"), "examples", document["x-example-time"]);
  contractFacts(document, facts);
  for (const tag of document.tags) {
    facts.add(inRequests("Operation groups", tag.name), "tag", tag.description);
    facts.addIds(inRequests("Operation groups", tag.name), tag);
  }
  for (const [name, reference] of Object.entries(document.components.headers ?? {})) {
    const header = dereference<Header>(document, reference);
    const location = inRequests("Response headers", name);
    headerFacts(context, location, header);
    facts.add(location, "header", header["x-operations"] ?? []);
    facts.add(location, "header", namesOf(document, header));
  }
  for (const reference of Object.values(document.components.parameters ?? {})) {
    const parameter = dereference<Parameter>(document, reference);
    if (!operationsOf(document).some(({ parameters }) => parameters.includes(parameter)))
      parameterFacts(context, inRequests("Unused parameters"), parameter);
  }
  for (const [status, reference] of Object.entries(document["x-gateway-responses"] ?? {}))
    gatewayFacts(
      context,
      inRequests("Gateway responses", status),
      dereference<ResponseObject>(document, reference),
    );
  idempotencyFacts(context);
}

function contractFacts({ info, servers }: OpenApiDocument, facts: Facts): void {
  for (const server of servers) {
    facts.add(inRequests("Base URL"), "server", `${server.url}: ${server.description}`);
    facts.addIds(inRequests("Base URL"), server);
    for (const [name, variable] of Object.entries(server.variables ?? {}))
      facts.add(inRequests("Base URL"), "server", [name, variable.default, variable.description]);
  }
  const { contact, license } = info;
  facts.add(inRequests("OpenAPI document"), "document", [
    info.title,
    info.version,
    contact?.name,
    license?.name,
  ]);
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

const on = (page: string, ...section: string[]): Location => ({ page, section });
const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** What the tables of the document say. */
export function tableFacts(document: OpenApiDocument, facts: Facts): void {
  for (const row of document["x-errors"]) errorFacts(document, facts, row);
  for (const [name, limit] of Object.entries(document["x-limits"])) {
    const location = on("limits", `| ${name}`);
    const value = limits[name as keyof typeof limits].toLocaleString("en-US");
    facts.add(location, "limit", [`${value} ${limit.unit}`, limit.description]);
    if (limit.error !== undefined) facts.add(location, "limit", limit.error.replace(".", " "));
    facts.addIds(location, limit);
  }
  abilityFacts(document, facts);
  for (const row of document["x-unspecified"]) {
    facts.add(on("unspecified", row.id), "unspecified", [row.text, ...row.operations]);
  }
  for (const [name, lifecycle] of Object.entries(document["x-lifecycles"]))
    lifecycleFacts(document, facts, on("lifecycles", capital(name)), lifecycle);
  simulatorFacts(document, facts);
  versioningFacts(document, facts);
}

export const retryAdvice = {
  never: "Do not retry.",
  after: "Retry after the time in Retry-After.",
  backoff: "Retry with backoff.",
} as const;

/** The row of an error on the page of errors. */
export function errorLocation({ id, status, type }: ErrorRow): Location {
  const [, , distinction] = id.split(".");
  const name = [status, type, distinction && `(${distinction})`].filter(Boolean).join(" ");
  return on("errors", "Error types", `| ${name}`);
}

function errorFacts(document: OpenApiDocument, facts: Facts, row: ErrorRow): void {
  const location = errorLocation(row);
  facts.addLink(location, `#${row.id.replaceAll(".", "-")}`);
  for (const id of row.operations) facts.addLink(location, `${operationLocation(id).page}/`);
  facts.add(location, "error", [`${row.when} ${row.resolution}`, retryAdvice[row.retry], ...row.operations]);
  if (row.namesFields) facts.add(location, "error", "error.fields has an entry for each invalid field");
  const isGeneral = row.operations.length === operationsOf(document).length;
  facts.add(location, "operations", isGeneral ? "All operations." : "");
  facts.add(location, "operations", row.operations.length === 0 ? "the request reaches no operation" : "");
  facts.addIds(location, row);
}

function abilityFacts(document: OpenApiDocument, facts: Facts): void {
  for (const scheme of Object.values(document.components.securitySchemes ?? {})) {
    facts.add(on("abilities"), "description", scheme.description);
    facts.addIds(on("abilities"), scheme);
  }
  for (const [ability, row] of Object.entries(document["x-abilities"])) {
    facts.add(on("abilities", ability), "description", row.description);
    facts.addIds(on("abilities", ability), row);
  }
  for (const { id, operation } of operationsOf(document))
    for (const ability of operation.security.flatMap((scheme) => Object.values(scheme).flat()))
      facts.add(on("abilities", ability, `| ${id}`), "ability", operation.summary);
}

function lifecycleFacts(
  document: OpenApiDocument,
  facts: Facts,
  location: Location,
  lifecycle: Lifecycle,
): void {
  facts.add(location, "description", lifecycle.description);
  facts.addIds(location, lifecycle);
  propertyFacts(facts, location, lifecycle);
  facts.add(location, "state", lifecycle.unspecified ?? []);
  for (const row of lifecycle.transitions) {
    const inner = below(location, `| ${[row.on, row.when].filter(Boolean).join(" ")}`);
    facts.add(inner, "transition", `${fromOf(row).join(", ")} → ${targetOf(document, row)}`);
    const error = document["x-errors"].find(({ type }) => row.error !== undefined && type === row.error);
    if (error !== undefined) facts.addLink(inner, errorPath(error));
    facts.add(inner, "transition", [row.on, row.when, row.effect]);
    facts.addIds(inner, row);
    for (const { properties } of lifecycle.records ?? [])
      for (const { property, set = [] } of properties)
        if (row.to !== null && set.includes(row.to) && !fromOf(row).every((state) => set.includes(state)))
          facts.add(inner, "transition", property);
    for (const from of row.to === null ? [] : fromOf(row))
      for (const text of [`From ${from} to ${row.to}:`, row.on]) facts.add(location, "arrow", text, "drawn");
  }
}

/** The states in which a property is set and null. */
function propertyFacts(facts: Facts, location: Location, lifecycle: Lifecycle): void {
  for (const { properties } of lifecycle.records ?? [])
    for (const { property, set = [], unset = [], unless = {}, ...ids } of properties) {
      const inner = below(location, `| ${property}`);
      facts.add(inner, "property", unset === "all" ? "any" : unset.join(", "));
      facts.add(inner, "property", set.join(", "));
      for (const [name, not] of Object.entries(unless))
        facts.add(inner, "property", `unless ${name} is ${String(not).split("/").at(-1)}`);
      facts.addIds(inner, ids);
    }
}

const fromOf = ({ from }: Transition): string[] => from ?? ["(new)"];

function targetOf(
  document: OpenApiDocument,
  { to, error, "x-leaves-unspecified": unspecified }: Transition,
): string {
  const row = document["x-errors"].find(({ type }) => error !== undefined && type === error);
  if (row !== undefined) return `error ${row.status} ${row.type}`;
  return to ?? (unspecified === undefined ? "(unchanged)" : "(unspecified)");
}

function simulatorFacts(document: OpenApiDocument, facts: Facts): void {
  const simulator = document["x-simulator"];
  facts.add(on("simulator"), "recipient", simulator.domain);
  facts.add(on("simulator"), "description", simulator.description);
  facts.addIds(on("simulator"), simulator);
  for (const row of simulator.recipients) {
    const location = on("simulator", `${row.localPart}@`);
    facts.add(location, "recipient", [row.description, row.states.join(" → ")]);
    facts.addIds(location, row);
  }
}

function versioningFacts(document: OpenApiDocument, facts: Facts): void {
  const rules = document["x-versioning"];
  facts.add(on("versioning"), "rule", rules?.prefix);
  const parts: Record<string, string | string[] | undefined> = {
    "Additive changes": rules?.added,
    "Changes that never happen within the version": rules?.never,
    "Breaking changes": rules?.breaking,
    Deprecation: rules?.deprecation,
    Changelog: [...(rules?.history ?? []), rules?.changelog ?? ""],
  };
  for (const [heading, texts] of Object.entries(parts))
    facts.add(on("versioning", heading), "rule", [texts].flat());
  facts.addIds(on("versioning", "Changelog"), rules ?? {});
}

/** The requirements with their checks, on their own page and on the pages of their operations. */
export function requirementFacts(requirements: TraceRow[], facts: Facts): void {
  for (const row of requirements) {
    const location = on("requirements", capital(row.topic.replace("-", " ")), row.id);
    facts.add(location, "requirement", row.text);
    facts.add(location, "requirement", `Kind: ${row.kind}`);
    facts.add(location, "requirement", [...row.operations, ...verification(row)]);
    for (const id of row.operations) {
      const inner = below(operationLocation(id), "Requirements", row.id);
      facts.addLink(inner, `requirements/#${row.id}`);
      facts.add(inner, "requirement", [row.text, ...verification(row)]);
    }
    if (row.topic === "idempotency")
      facts.add(on("idempotency", "Requirements", row.id), "requirement", row.text);
  }
}

const verification = ({ checks, excluded }: TraceRow): (string | null)[] => [
  ...checks.map(({ title }) => title),
  excluded && `No check: ${excluded}`,
];
