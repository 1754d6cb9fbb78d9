import {
  type Document,
  nameOf,
  operationsOf,
  resolve,
  type Schema,
  type TestedOperation,
} from "../document.ts";
import { boundaries, type Oracle, type Toolbox } from "./boundaries.ts";
import type { Case, Change, Place, Spot } from "./case.ts";
import { ofHeaders } from "./headers.ts";
import { inside, silent } from "./inside.ts";
import { samplesFrom } from "./samples.ts";
import { fieldOf, titleOf } from "./words.ts";

/** Keywords that lead to further schemas. */
const leading = ["items", "additionalProperties", "oneOf", "anyOf"];

/**
 * A request on each side of every constraint that the document lays on requests, each with one fault at most. Bounds that the document
 * marks as its own (`x-technical-limit`) are no constraints of the service.
 *
 * @param oracle what the document itself says about values
 * @throws Error for a constraint of a form that no case can be made for, and for one that no example leads to
 */
export function deriveCases(document: Document, oracle: Oracle): Case[] {
  const tools = {
    oracle,
    samples: samplesFrom(document),
    resolve: (schema: Schema) => resolve<Schema>(document, schema),
  };
  return operationsOf(document).flatMap((placed) =>
    unique([...ofBody(placed, tools), ...ofHeaders(placed, document)]),
  );
}

function ofBody({ id, body, bodies }: TestedOperation, tools: Toolbox): Case[] {
  if (body === undefined) return [];
  const spot = { operation: id, schema: body, name: id, steps: [], variants: [] };
  const examples = Object.entries(bodies).map(([name, value]) =>
    toCase(spot, "example", { accepted: true, phrase: `the example ${name}`, body: value }),
  );
  const [first, ...others] = Object.values(bodies).map((value): Place => ({ body: value, path: [] }));
  return first === undefined ? [] : [...examples, ...walk({ ...spot, places: [first, ...others] }, tools)];
}

/** The cases of a schema and of all schemas below it. */
function walk(given: Spot, tools: Toolbox): Case[] {
  const schema = tools.resolve(given.schema);
  const spot = { ...given, name: nameOf(given.schema) ?? given.name };
  const unknown = Object.keys(schema).filter((keyword) => !known(keyword));
  if (unknown.length > 0)
    throw new Error(`${spot.name} has ${unknown}, which no case is made for: teach boundaries.ts about it`);
  const own = Object.entries(boundaries)
    .filter(([keyword]) => keyword in schema)
    .flatMap(([keyword, boundary]) =>
      boundary(spot, schema, tools).map((change) => toCase(spot, keyword, change)),
    );
  return [...own, ...inside(spot, schema, tools).flatMap((inner) => walk(inner, tools))];
}

const known = (keyword: string): boolean =>
  keyword in boundaries || silent.includes(keyword) || leading.includes(keyword) || keyword.startsWith("x-");

const toCase = (
  spot: Omit<Spot, "places">,
  keyword: string,
  { property, accepted, phrase, body }: Change,
): Case => ({
  operation: spot.operation,
  where: "body",
  field: fieldOf(property === undefined ? spot.steps : [...spot.steps, property]),
  keyword,
  accepted,
  title: titleOf(spot, phrase, accepted),
  body,
  headers: {},
});

/** The same request is made once, under the first of its titles. */
function unique(cases: Case[]): Case[] {
  const seen = new Map<string, Case>();
  for (const one of cases) {
    const request = JSON.stringify([one.body, one.headers]);
    const same = seen.get(request);
    if (same === undefined) seen.set(request, one);
    else if (same.accepted !== one.accepted)
      throw new Error(`"${same.title}" and "${one.title}" are the same request`);
  }
  return [...seen.values()];
}
