import type { Trace } from "../../../../scripts/docs/pages/trace.ts";
import { valueAtPointer } from "../../../../scripts/document/json-pointer.ts";
import { operationsOf } from "../../../../scripts/document/operations.ts";
import type { OpenApiDocument } from "../../../../scripts/document/types.ts";
import { type Fact, Facts, kebab } from "./fact.ts";
import { makingRequestsFacts } from "./making-requests.ts";
import { operationFacts } from "./operation.ts";
import { type Reading, schemaFacts, valueFacts } from "./schema.ts";
import { requirementFacts, tableFacts } from "./tables.ts";

/** Every fact of the document that the site must show, and where. Knows nothing of how the pages are made. */
export function factsOf(document: OpenApiDocument, trace: Trace): Fact[] {
  const facts = new Facts();
  for (const placed of operationsOf(document)) operationFacts({ document, facts }, placed);
  componentFacts({ document, facts });
  makingRequestsFacts({ document, facts });
  tableFacts(document, facts);
  requirementFacts(trace, facts);
  return facts.all;
}

/** Schemas by their names: objects on pages of their own, other values on one page. */
function componentFacts(reading: Reading): void {
  const { document, facts } = reading;
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    if (schema.title === undefined) {
      valueFacts(reading, { page: "objects/values", trail: [name] }, schema);
      continue;
    }
    const spot = { page: `objects/${kebab(name)}`, trail: [] };
    for (const text of [schema.title, name, schema.description]) facts.say(spot, "schema", text);
    for (const { id, operation } of operationsOf(document))
      if (schemasBelow(document, operation).has(name)) facts.say(spot, "user", id);
    schemaFacts(reading, { ...spot, trail: ["Fields"] }, { $ref: `#/components/schemas/${name}` });
  }
}

/** The names of the schemas that a part of the document points to, directly or through others. */
function schemasBelow(document: OpenApiDocument, part: unknown): Set<string> {
  const pointers = new Set<string>(JSON.stringify(part).match(/#\/components\/[\w/]+/g));
  for (const pointer of pointers)
    for (const further of JSON.stringify(valueAtPointer(document, pointer)).match(/#\/components\/[\w/]+/g) ??
      [])
      pointers.add(further);
  return new Set([...pointers].map((pointer) => pointer.replace("#/components/schemas/", "")));
}
