import { valueAtPointer } from "../../../../scripts/document/json-pointer.ts";
import { operationsOf } from "../../../../scripts/document/operations.ts";
import type { OpenApiDocument } from "../../../../scripts/document/types.ts";
import type { TraceRow } from "../../../../scripts/trace/table.ts";
import { type Fact, Facts, inWords, kebab } from "./fact.ts";
import { makingRequestsFacts } from "./making-requests.ts";
import { operationFacts } from "./operation.ts";
import { type FactContext, schemaFacts, valueFacts } from "./schema.ts";
import { requirementFacts, tableFacts } from "./tables.ts";

/** Every fact of the document and where the site must show it, independent of how the pages are generated. */
export function factsOf(document: OpenApiDocument, requirements: TraceRow[]): Fact[] {
  const facts = new Facts();
  for (const placed of operationsOf(document)) operationFacts({ document, facts }, placed);
  componentFacts({ document, facts });
  makingRequestsFacts({ document, facts });
  tableFacts(document, facts);
  requirementFacts(requirements, facts);
  return facts.all;
}

/** Objects have their own pages; other schemas share one. */
function componentFacts(context: FactContext): void {
  const { document, facts } = context;
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    if (schema.title === undefined) {
      valueFacts(context, { page: "objects/values", section: [name] }, schema);
      continue;
    }
    const location = { page: `objects/${kebab(name)}`, section: [] };
    for (const text of [inWords(name), name, schema.description]) facts.add(location, "schema", text);
    for (const { id, operation } of operationsOf(document))
      if (schemasIn(document, operation).has(name)) facts.add(location, "user", id);
    schemaFacts(context, { ...location, section: ["Fields"] }, { $ref: `#/components/schemas/${name}` });
  }
}

/** The names of the schemas that a part of the document refers to, directly or through others. */
function schemasIn(document: OpenApiDocument, part: unknown): Set<string> {
  const pointers = new Set<string>(JSON.stringify(part).match(/#\/components\/[\w/]+/g));
  for (const pointer of pointers)
    for (const further of JSON.stringify(valueAtPointer(document, pointer)).match(/#\/components\/[\w/]+/g) ??
      [])
      pointers.add(further);
  return new Set([...pointers].map((pointer) => pointer.replace("#/components/schemas/", "")));
}
