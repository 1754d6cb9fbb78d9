import { withTypeList } from "../../scripts/document/schema-forms.ts";
import {
  nameOf,
  type OpenApiDocument,
  operationsOf,
  resolve,
  type Schema,
  type TestedOperation,
} from "../document.ts";
import { boundaries, type Context, type DocumentValidators } from "./boundaries.ts";
import type { Case, Change, Location, SchemaLocation } from "./case.ts";
import { parameterCases } from "./parameters.ts";
import { samplesFrom } from "./samples.ts";
import { inside, silent } from "./subschemas.ts";
import { fieldOf, titleOf } from "./words.ts";

/** Keywords with subschemas. */
const leading = ["items", "additionalProperties", "oneOf", "anyOf"];

/**
 * Generates requests on both sides of every constraint on requests, each with at most one error. Technical limits
 * (`x-technical-limit`) are not constraints of the service.
 * @throws Error for an unsupported form of a constraint, and for one without an example
 */
export function deriveCases(document: OpenApiDocument, validators: DocumentValidators): Case[] {
  const tools = {
    validators,
    samples: samplesFrom(document),
    resolve: (schema: Schema) => resolve<Schema>(document, schema),
  };
  return operationsOf(document).flatMap((placed) =>
    unique([...ofBody(placed, tools), ...parameterCases(placed, document)]),
  );
}

function ofBody({ id, body, bodies }: TestedOperation, tools: Context): Case[] {
  if (body === undefined) return [];
  const at = { operation: id, schema: body, name: id, steps: [], variants: [] };
  const examples = Object.entries(bodies).map(([name, value]) =>
    toCase({ ...at, path: [] }, "example", { accepted: true, phrase: `the example ${name}`, body: value }),
  );
  const [first, ...others] = Object.values(bodies).map((value): Location => ({ body: value, path: [] }));
  return first === undefined ? [] : [...examples, ...walk({ ...at, locations: [first, ...others] }, tools)];
}

/** The cases of a schema and its subschemas. */
function walk(given: SchemaLocation, tools: Context): Case[] {
  const schema = withTypeList(tools.resolve(given.schema));
  const at = { ...given, name: nameOf(given.schema) ?? given.name };
  const unknown = Object.keys(schema).filter((keyword) => !known(keyword));
  if (unknown.length > 0)
    throw new Error(`${at.name} has ${unknown}, which has no cases: add it to boundaries.ts`);
  const own = Object.entries(boundaries)
    .filter(([keyword]) => keyword in schema)
    .flatMap(([keyword, boundary]) =>
      boundary(at, schema, tools).map((change) =>
        toCase({ ...at, path: at.locations[0].path }, keyword, change),
      ),
    );
  return [...own, ...inside(at, schema, tools).flatMap((inner) => walk(inner, tools))];
}

const known = (keyword: string): boolean =>
  keyword in boundaries || silent.includes(keyword) || leading.includes(keyword) || keyword.startsWith("x-");

const toCase = (
  at: Omit<SchemaLocation, "locations"> & Pick<Case, "path">,
  keyword: string,
  { property, accepted, phrase, body }: Change,
): Case => ({
  operation: at.operation,
  location: "body",
  field: fieldOf(property === undefined ? at.steps : [...at.steps, property]),
  path: property === undefined ? at.path : [...at.path, property],
  keyword,
  accepted,
  title: titleOf(at, phrase, accepted),
  body,
  headers: {},
  query: {},
});

/** Removes duplicate requests, keeping the first title. */
function unique(cases: Case[]): Case[] {
  const seen = new Map<string, Case>();
  for (const one of cases) {
    const request = JSON.stringify([one.body, one.headers, one.query]);
    const same = seen.get(request);
    if (same === undefined) seen.set(request, one);
    else if (same.accepted !== one.accepted)
      throw new Error(`"${same.title}" and "${one.title}" are the same request`);
  }
  return [...seen.values()];
}
