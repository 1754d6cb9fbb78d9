import { pointerOf } from "../document/json-pointer.ts";
import { operationsOf, type PlacedNode, tagsOf } from "../document/operations.ts";
import { follow, resolveSchema } from "../document/references.ts";
import { responsesOf } from "../document/responses.ts";
import { type PlacedSchema, schemas } from "../document/schemas.ts";
import { entriesOf, listOf, type Node, nodeOf, textOf, textsOf } from "../document/values.ts";
import { isBoundedString } from "./bounds.ts";

/** What is measured, by a name of its own. */
export type MetricId = keyof typeof metrics;

/** How many of the nodes or operations have something, and which do not. */
export interface Share {
  part: number;
  whole: number;
  missing: string[];
}

/** The figures of a document: shares and counts. */
export type Score = Record<MetricId, Share | number>;

/** Measures an OpenAPI 3 document. What is invalid counts as missing. */
export function measure(document: Node): Score {
  const figures = Object.entries(metrics).map(([metric, figure]) => [metric, figure(document)]);
  return Object.fromEntries(figures) as Score;
}

const metrics = {
  operations: (document: Node): number => operationsOf(document).length,
  summary: (document: Node) => having(document, ({ operation }) => isText(operation.summary)),
  description: (document: Node) => having(document, ({ operation }) => isText(operation.description)),
  operationId: (document: Node) => having(document, ({ operation }) => isText(operation.operationId)),
  tag: (document: Node) => having(document, (place) => tagsOf(place).length > 0),
  requestExample: (document: Node) =>
    having(
      document,
      (place) => hasExample(document, bodyOf(document, place)),
      ({ operation }) => operation.requestBody !== undefined,
    ),
  responseExample: (document: Node) =>
    having(
      document,
      (place) => withContent(document, place).every((response) => hasExample(document, response)),
      (place) => withContent(document, place).length > 0,
    ),
  clientErrorSchema: (document: Node) =>
    having(document, (place) => {
      const errors = responsesOf(document, place).filter(({ status }) => /^4|^default$/.test(status));
      return errors.length > 0 && errors.every(({ response }) => hasSchema(response));
    }),
  status401: (document: Node) => having(document, hasStatus(document, /^401$/)),
  status429: (document: Node) => having(document, hasStatus(document, /^429$/)),
  status5xx: (document: Node) => having(document, hasStatus(document, /^5/)),
  responseHeaders: (document: Node) =>
    having(document, (place) =>
      responsesOf(document, place).some(({ response }) => entriesOf(response.headers).length > 0),
    ),
  ability: (document: Node) =>
    having(document, ({ operation }) =>
      listOf(operation.security ?? document.security).some((scheme) =>
        Object.values(nodeOf(scheme)).some((roles) => listOf(roles).length > 0),
      ),
    ),
  describedProperties: (document: Node) =>
    share(
      valueSchemas(document).filter(({ property }) => property !== undefined),
      ({ schema }) => isText(resolveSchema(document, schema).description),
      placeOf,
    ),
  boundedStrings: (document: Node) => bounded(valueSchemas(document), "string", isBoundedString),
  boundedRequestStrings: (document: Node) => bounded(requestSchemas(document), "string", isBoundedString),
  boundedArrays: (document: Node) => bounded(valueSchemas(document), "array", hasMaxItems),
  boundedRequestArrays: (document: Node) => bounded(requestSchemas(document), "array", hasMaxItems),
  links: (document: Node): number =>
    operationsOf(document)
      .flatMap((place) => responsesOf(document, place))
      .flatMap(({ response }) => entriesOf(response.links)).length,
};

function share<Place>(
  places: Place[],
  has: (place: Place) => boolean,
  nameOf: (place: Place) => string,
): Share {
  const missing = places.filter((place) => !has(place)).map(nameOf);
  return { part: places.length - missing.length, whole: places.length, missing };
}

/** The share of the operations, or of those that the question applies to, that have something. */
const having = (
  document: Node,
  has: (place: PlacedNode) => boolean,
  applies: (place: PlacedNode) => boolean = () => true,
): Share => share(operationsOf(document).filter(applies), has, ({ id }) => id);

const bounded = (places: PlacedSchema[], type: string, isBounded: (schema: Node) => boolean): Share =>
  share(
    places.filter(({ schema }) => textsOf(schema.type).includes(type)),
    ({ schema }) => isBounded(schema),
    placeOf,
  );

/** The schemas that describe values, without those of conditions. */
const valueSchemas = (document: Node): PlacedSchema[] =>
  schemas(document).filter(({ condition }) => !condition);

const requestSchemas = (document: Node): PlacedSchema[] =>
  valueSchemas(document).filter(({ uses }) => uses.has("request"));

const placeOf = ({ path }: PlacedSchema): string => pointerOf(path);

const bodyOf = (document: Node, { operation }: PlacedNode): Node =>
  follow(document, [], operation.requestBody).value;

const withContent = (document: Node, place: PlacedNode): Node[] =>
  responsesOf(document, place)
    .map(({ response }) => response)
    .filter(({ content }) => entriesOf(content).length > 0);

const hasStatus = (document: Node, pattern: RegExp) => (place: PlacedNode) =>
  responsesOf(document, place).some(({ status }) => pattern.test(status));

const hasExample = (document: Node, { content }: Node): boolean =>
  entriesOf(content).some(([, media]) =>
    [media, resolveSchema(document, media.schema)].some(
      (owner) =>
        "example" in owner || Object.keys(nodeOf(owner.examples)).length + listOf(owner.examples).length > 0,
    ),
  );

const hasSchema = ({ content }: Node): boolean =>
  entriesOf(content).some(([, { schema }]) => typeof schema === "object");

const isText = (value: unknown): boolean => textOf(value).trim() !== "";
const hasMaxItems = (schema: Node): boolean => typeof schema.maxItems === "number";
