import { errors } from "../../generated/errors.ts";
import { document, operationsOf, resolve, type Schema, type TestedOperation } from "../document.ts";
import { decidableRequirements } from "../observe/decidable-requirements.ts";
import { limitSides } from "./limits.ts";
import { everything, placesIn } from "./places.ts";

/** What tests can exercise, in the order of the reports; each with a sentence on what is counted. */
export const coverageKinds = {
  operations: "operations with a response of the server",
  statuses: "documented statuses of each operation, below 500",
  errors: "error types of each operation, below 500",
  parameters: "path, query and header parameters of each operation that requests had",
  properties: "properties of request bodies that requests had",
  limits: "both sides of the limits on parameters and bodies: accepted at the limit, rejected beyond it",
  requirements: "requirements with a verdict, of those that traffic can decide",
} as const;

export type CoverageKind = keyof typeof coverageKinds;

/** What could be covered, by kind, as labels that are unique within their kind. */
export type CoverageItems = Record<CoverageKind, readonly string[]>;

const isOfServer = (status: string): boolean => !status.startsWith("5");

/** An operation with its statuses as the document has them, such as `202` and `2XX`. */
export const testedOperations = new Map(operationsOf(document).map((one) => [one.id, one]));

export const statusesOf = ({ operation }: TestedOperation): string[] =>
  Object.keys(operation.responses).filter(isOfServer);

/** Error types by status, of one operation or, without an operation, of gateways. */
export const errorLabel = (operation: string, status: number, type: string): string =>
  `${operation} ${status} ${type}`;

/** The label of gateway responses in place of an operation. */
export const anyPath = "any path:";

function errorLabels(): string[] {
  return Object.values(errors).flatMap(({ status, type, operations }) => {
    if (type === null || status >= 500) return [];
    const on: readonly string[] = operations.length === 0 ? [anyPath] : operations;
    return on.map((operation) => errorLabel(operation, status, type));
  });
}

/** Those with a name: not the body itself, nor entries and values under any name. */
const propertyLabels = ({ id, body }: TestedOperation): string[] =>
  body === undefined
    ? []
    : [...placesIn(document, body, everything)].flatMap(({ field }) =>
        field === "" || field.endsWith("*") ? [] : [`${id} ${field}`],
      );

function limitLabels({ id, body, parameters }: TestedOperation): string[] {
  const ofParameters = parameters.map(({ name, schema }) => ({
    field: name,
    schema: resolve<Schema>(document, schema),
    value: everything,
  }));
  const ofBody = body === undefined ? [] : [...placesIn(document, body, everything)];
  return [...ofParameters, ...ofBody].flatMap(limitSides).map(({ label }) => `${id} ${label}`);
}

/** All that tests can exercise, computed from the document. */
export function coverageItems(): CoverageItems {
  const all = [...testedOperations.values()];
  const unique = (labels: string[]): string[] => [...new Set(labels)];
  return {
    operations: all.map(({ id }) => id),
    statuses: all.flatMap((one) => statusesOf(one).map((status) => `${one.id} ${status}`)),
    errors: errorLabels(),
    parameters: all.flatMap(({ id, parameters }) => parameters.map(({ name }) => `${id} ${name}`)),
    properties: unique(all.flatMap(propertyLabels)),
    limits: unique(all.flatMap(limitLabels)),
    requirements: decidableRequirements,
  };
}
