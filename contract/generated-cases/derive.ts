import { isObject } from "../../lib/objects.ts";
import { usageError } from "../../lib/user-error.ts";
import { withTypeList } from "../../scripts/document/schema-forms.ts";
import {
  type DocumentValidators,
  nameOf,
  type OpenApiDocument,
  operationsOf,
  type Parameter,
  resolve,
  type Schema,
  type TestedOperation,
} from "../document.ts";
import type { Query } from "../exchange.ts";
import { boundaries, type Context } from "./boundaries.ts";
import { below, type Case, type Change, fieldOf, type SchemaLocation, valueAt, withValue } from "./case.ts";
import { samplesFrom } from "./values.ts";

/** Keywords with subschemas. */
const leading = ["items", "additionalProperties", "oneOf", "anyOf"];

/**
 * Generates requests on both sides of every constraint on requests, each with at most one error. Technical limits
 * (`x-technical-limit`) are not constraints of the service. What several alternatives share has all its cases in the first one.
 * @throws Error for an unsupported form of a constraint, and for one without an example
 */
export function deriveCases(document: OpenApiDocument, validators: DocumentValidators): Case[] {
  const tools = {
    validators,
    samples: samplesFrom(document),
    resolve: (schema: Schema) => resolve<Schema>(document, schema),
  };
  return operationsOf(document).flatMap((placed) => {
    const own = { ...tools, seen: new Set<string>() };
    // Path parameters have no cases: whether a malformed one is rejected with 404 or 422 is unspecified.
    const parameters = placed.parameters.filter((parameter) => parameter.in !== "path");
    return unique([...ofBody(placed, own), ...parameters.flatMap((one) => ofParameter(placed, one, own))]);
  });
}

function ofBody({ id, body, bodies }: TestedOperation, tools: Context): Case[] {
  if (body === undefined) return [];
  const at = { operation: id, schema: body, name: id, steps: [], variants: [] };
  const examples = Object.entries(bodies).map(([name, value]) =>
    toCase({ ...at, path: [] }, "example", { accepted: true, phrase: `the example ${name}`, body: value }),
  );
  const [first, ...others] = Object.values(bodies).map((value) => ({ body: value, path: [] }));
  return first === undefined ? [] : [...examples, ...walk({ ...at, locations: [first, ...others] }, tools)];
}

/** The cases of a header or query parameter. */
function ofParameter({ id, bodies, parameters }: TestedOperation, parameter: Parameter, tools: Context) {
  const { name, example } = parameter;
  const { type } = tools.resolve(parameter.schema);
  if (type === "array" || type === "object")
    throw usageError(
      `${name} is a parameter of type ${type}, which has no cases`,
      "Add them in contract/generated-cases/derive.ts.",
    );
  const start = { body: type === "string" ? id : (example ?? "text"), path: [] };
  const at = { operation: id, schema: parameter.schema, name, steps: [name], variants: [] };
  const missing: Change = { accepted: false, phrase: `a request without ${name}`, body: undefined };
  const cases = [
    ...walk({ ...at, locations: [start] }, tools),
    ...(parameter.required === true ? [toCase({ ...at, path: [] }, "required", missing)] : []),
  ];
  const required = parameters.filter((one) => one.in === "query" && one.required === true);
  const query = Object.fromEntries(required.map((one) => [one.name, one.example])) as Query;
  return cases
    .filter(({ keyword, body }) => keyword !== "type" || (type !== "string" && !/^\d+$/.test(String(body))))
    .map(({ body, ...one }): Case => {
      const sent: Record<string, string> = body === undefined ? {} : { [name]: String(body) };
      const request = { ...one, path: [], body: Object.values(bodies)[0], query };
      return parameter.in === "header"
        ? { ...request, location: "header", headers: sent }
        : { ...request, location: "query", query: { ...query, [name]: undefined, ...sent } };
    });
}

function walk(given: SchemaLocation, tools: Context): Case[] {
  const schema = withTypeList(tools.resolve(given.schema));
  const at = { ...given, name: nameOf(given.schema) ?? given.name };
  const unknown = Object.keys(schema).filter((keyword) => !known(keyword));
  if (unknown.length > 0)
    throw usageError(
      `${at.name} has ${unknown}, which has no cases`,
      `Add a row \`${unknown[0]}:\` to boundaries in contract/generated-cases/boundaries.ts.`,
    );
  const component = `${at.name} as ${fieldOf(at.steps)}`;
  const isShared = tools.seen.has(component);
  tools.seen.add(component);
  const own = Object.entries(boundaries)
    .filter(([keyword]) => keyword in schema)
    .flatMap(([keyword, boundary]) => {
      const changes = boundary(at, schema, tools);
      // One violation shows that a further alternative has the constraint too.
      const some = isShared ? changes.filter(({ accepted }) => !accepted).slice(0, 1) : changes;
      return some.map((change) => toCase({ ...at, path: at.locations[0].path }, keyword, change));
    });
  return [...own, ...inside(at, schema, tools).flatMap((inner) => walk(inner, tools))];
}

const known = (keyword: string): boolean =>
  keyword in boundaries || silent.includes(keyword) || leading.includes(keyword) || keyword.startsWith("x-");

function toCase(
  { operation, steps, path, variants }: Omit<SchemaLocation, "locations"> & Pick<Case, "path">,
  keyword: string,
  { property, accepted, phrase, body }: Change,
): Case {
  const more = property === undefined ? [] : [property];
  const ofVariants = variants.length === 0 ? "" : ` (${variants.join(", ")})`;
  return {
    operation,
    location: "body",
    field: fieldOf([...steps, ...more]),
    path: [...path, ...more],
    keyword,
    accepted,
    // Such as `sendEmail (ContentSend): a subject of 999 characters is rejected`.
    title: `${operation}${ofVariants}: ${phrase} is ${accepted ? "accepted" : "rejected"}`,
    body,
    headers: {},
    query: {},
  };
}

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

/** Keywords without constraints, or handled with another keyword. */
const silent = "title description default examples deprecated then contentEncoding $ref".split(" ");

/** The subschemas of a schema, with the locations they apply to. */
function inside(at: SchemaLocation, schema: Schema, tools: Context): SchemaLocation[] {
  const { properties = {}, items, additionalProperties, oneOf = [], anyOf = [] } = schema;
  return [
    ...Object.entries(properties).map(([name, inner]) => property(at, name, inner, tools)),
    ...(isRestricting(items) ? [entries(at, items, tools)] : []),
    ...(isRestricting(additionalProperties) ? [values(at, additionalProperties, properties)] : []),
    ...[...oneOf, ...anyOf].map((branch) => alternative(at, branch, tools)),
  ];
}

const isRestricting = (schema: unknown): schema is Schema =>
  isObject(schema) && Object.keys(schema).some((keyword) => !silent.includes(keyword) || keyword === "$ref");

function property(at: SchemaLocation, name: string, schema: Schema, { samples }: Context): SchemaLocation {
  const inner = { ...at, schema, name: `${at.name}.${name}`, steps: [...at.steps, name] };
  const [place] = at.locations;
  const example = () => withValue(below(place, name), samples.of(schema, inner.name));
  const [first = below({ ...place, body: example() }, name), ...others] = placesIn(at, (value) =>
    isObject(value) && name in value ? [name] : [],
  );
  return { ...inner, locations: [first, ...others] };
}

function entries(at: SchemaLocation, schema: Schema, { samples }: Context): SchemaLocation {
  const inner = { ...at, schema, name: `${at.name}[]`, steps: [...at.steps, "[]"] };
  const [place] = at.locations;
  const example = () => withValue(place, [samples.of(schema, inner.name)]);
  const [first = below({ ...place, body: example() }, 0), ...others] = placesIn(at, (value) =>
    Array.isArray(value) ? value.keys() : [],
  );
  return { ...inner, locations: [first, ...others] };
}

function values(at: SchemaLocation, schema: Schema, properties: Record<string, Schema>): SchemaLocation {
  const [first, ...others] = placesIn(at, (value) =>
    Object.keys(value as object).filter((name) => !(name in properties)),
  );
  if (first === undefined) throw usageError(`no example has a value in ${at.name}`, exampleHint(at));
  return { ...at, schema, name: `${at.name}{}`, steps: [...at.steps, "{}"], locations: [first, ...others] };
}

/** What is at some steps below the locations of a schema. */
const placesIn = ({ locations }: SchemaLocation, stepsIn: (value: unknown) => Iterable<string | number>) =>
  locations.flatMap((place) => [...stepsIn(valueAt(place))].map((step) => below(place, step)));

const exampleHint = ({ operation, steps }: SchemaLocation): string =>
  `In a file of openapi/examples/ that is a request of ${operation}, add a line with ${steps.join(".")}.`;

function alternative(at: SchemaLocation, schema: Schema, { validators }: Context): SchemaLocation {
  const name = nameOf(schema);
  if (name === undefined)
    throw new Error(`${at.name} has an alternative without a name: move it to its own file`);
  const [first, ...others] = at.locations.filter((place) => validators.isValid(name, valueAt(place)));
  if (first === undefined) throw usageError(`no example has a ${name} in it`, exampleHint(at));
  return { ...at, schema, variants: [...at.variants, name], locations: [first, ...others] };
}
