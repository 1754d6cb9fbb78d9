import { escapeSegment } from "../document/json-pointer.ts";
import { isNode } from "../document/values.ts";
import { isBoundedString, isOfType } from "./bounds.ts";
import { entries, type MeasuredOperation, operationsIn, settle } from "./places.ts";
import { type PlacedSchema, schemasFrom } from "./schemas.ts";

/** What is measured, by a name of its own. */
export type MetricId = keyof typeof measures;

/** How many of the places there are have what is asked for, and which have not. */
export interface Share {
  part: number;
  whole: number;
  missing: string[];
}

/** The figures of a document. A count has no whole. */
export type Score = Record<MetricId, Share | number>;

interface Subject {
  document: Record<string, unknown>;
  operations: MeasuredOperation[];
  schemas: PlacedSchema[];
  requestSchemas: PlacedSchema[];
}

/** Measures an OpenAPI document of version 3. It is read as it comes: what does not fit counts as missing. */
export function measure(document: Record<string, unknown>): Score {
  const operations = operationsIn(document);
  const components = isNode(document.components) ? document.components : {};
  const requests = operations.flatMap(({ requestSchemas }) => requestSchemas);
  const starts = [
    ...entries(components.schemas).map(([name]) => `/components/schemas/${escapeSegment(name)}`),
    ...operations.flatMap(({ answerSchemas }) => answerSchemas),
    ...requests,
  ];
  const subject: Subject = {
    document,
    operations,
    schemas: schemasFrom(document, starts),
    requestSchemas: schemasFrom(document, requests),
  };
  const figures = Object.entries(measures).map(([metric, figure]) => [metric, figure(subject)]);
  return Object.fromEntries(figures) as Score;
}

const measures = {
  operations: ({ operations }: Subject): number => operations.length,
  summary: (subject: Subject) => having(subject, ({ operation }) => isText(operation.summary)),
  description: (subject: Subject) => having(subject, ({ operation }) => isText(operation.description)),
  operationId: (subject: Subject) => having(subject, ({ operation }) => isText(operation.operationId)),
  tag: (subject: Subject) =>
    having(subject, ({ operation }) => Array.isArray(operation.tags) && operation.tags.length > 0),
  requestExample: (subject: Subject) =>
    having(
      subject,
      ({ body }) => hasExample(subject, body),
      ({ body }) => body !== undefined,
    ),
  answerExample: (subject: Subject) =>
    having(
      subject,
      ({ answers }) => answers.every(([, answer]) => !hasContent(answer) || hasExample(subject, answer)),
      ({ answers }) => answers.some(([, answer]) => hasContent(answer)),
    ),
  clientErrorSchema: (subject: Subject) =>
    having(subject, ({ answers }) => {
      const errors = answers.filter(([status]) => /^4|^default$/.test(status));
      return errors.length > 0 && errors.every(([, answer]) => hasSchema(answer));
    }),
  status401: (subject: Subject) =>
    having(subject, ({ answers }) => answers.some(([status]) => status === "401")),
  status429: (subject: Subject) =>
    having(subject, ({ answers }) => answers.some(([status]) => status === "429")),
  status5xx: (subject: Subject) =>
    having(subject, ({ answers }) => answers.some(([status]) => /^5/.test(status))),
  answerHeaders: (subject: Subject) =>
    having(subject, ({ answers }) => answers.some(([, { headers }]) => entries(headers).length > 0)),
  ability: (subject: Subject) => having(subject, ({ security }) => namesAbility(security)),
  describedProperties: ({ document, schemas }: Subject) => describedProperties(document, schemas),
  boundedStrings: ({ schemas }: Subject) => bounded(schemas, "string", isBoundedString),
  boundedRequestStrings: ({ requestSchemas }: Subject) => bounded(requestSchemas, "string", isBoundedString),
  boundedArrays: ({ schemas }: Subject) => bounded(schemas, "array", hasMaxItems),
  boundedRequestArrays: ({ requestSchemas }: Subject) => bounded(requestSchemas, "array", hasMaxItems),
  links: ({ operations }: Subject): number =>
    operations.flatMap(({ answers }) => answers.flatMap(([, { links }]) => entries(links))).length,
};

/** The share of the operations, or of those that the question applies to, that have something. */
function having(
  { operations }: Subject,
  holds: (operation: MeasuredOperation) => boolean,
  applies: (operation: MeasuredOperation) => boolean = () => true,
): Share {
  const asked = operations.filter(applies);
  const missing = asked.filter((operation) => !holds(operation)).map(({ name }) => name);
  return { part: asked.length - missing.length, whole: asked.length, missing };
}

function bounded(
  schemas: PlacedSchema[],
  type: string,
  holds: (schema: Record<string, unknown>) => boolean,
): Share {
  const asked = schemas.filter(({ schema }) => isOfType(schema, type));
  const missing = asked.filter(({ schema }) => !holds(schema)).map(({ pointer }) => pointer);
  return { part: asked.length - missing.length, whole: asked.length, missing };
}

function describedProperties(document: unknown, schemas: PlacedSchema[]): Share {
  const properties = schemas.flatMap(({ pointer, schema }) =>
    entries(schema.properties).map(([name, property]) => ({
      pointer: `${pointer}/properties/${escapeSegment(name)}`,
      property,
    })),
  );
  const isDescribed = ({ pointer, property }: { pointer: string; property: unknown }): boolean =>
    isNode(property) && (isText(property.description) || isText(settle(document, pointer).value.description));
  const missing = properties.filter((property) => !isDescribed(property)).map(({ pointer }) => pointer);
  return { part: properties.length - missing.length, whole: properties.length, missing };
}

function hasExample({ document }: Subject, value: Record<string, unknown> | undefined): boolean {
  return entries(value?.content).some(([, media]) => {
    if (!isNode(media)) return false;
    const schema = isNode(media.schema) ? media.schema : {};
    const target = typeof schema.$ref === "string" ? settle(document, schema.$ref.slice(1)).value : schema;
    return [media, target].some(
      (owner) => "example" in owner || entries(owner.examples).length > 0 || isList(owner.examples),
    );
  });
}

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const hasMaxItems = (schema: Record<string, unknown>): boolean => typeof schema.maxItems === "number";
const hasContent = (answer: Record<string, unknown>): boolean => entries(answer.content).length > 0;
const hasSchema = (answer: Record<string, unknown>): boolean =>
  entries(answer.content).some(([, media]) => isNode(media) && isNode(media.schema));
const namesAbility = (security: unknown): boolean =>
  Array.isArray(security) &&
  security.some((requirement) => entries(requirement).some(([, roles]) => isList(roles)));
