import { errors } from "../../generated/errors.ts";
import type { OperationId } from "../../generated/operations.ts";
import {
  document,
  operationsOf,
  type Parameter,
  resolve,
  type Schema,
  type TestedOperation,
} from "../document.ts";
import { type Exchange, errorOf, isSuccess } from "../exchange.ts";
import type { ContractResult, CoverageResult } from "../report/result.ts";
import { documented } from "../response-checks/documented.ts";
import { decidableRequirements } from "./observe-result.ts";
import { bodyPlaces, isNamed, limitSides, placesOfResponse, valuesAt } from "./places.ts";

/** What the requests and responses of tests exercised. It keeps labels of the document only, no values of the traffic. */
export class Coverage {
  readonly #items = coverageItems();
  readonly #missing = new Map(Object.entries(this.#items).map(([kind, labels]) => [kind, new Set(labels)]));
  /** The properties that responses of each operation had. */
  readonly #returned = new Set<string>();

  /** @param isCut whether the body of the request may be incomplete */
  add(exchange: Exchange, isCut = false): void {
    const { request, status } = exchange;
    if (status === 0) return;
    const type = errorOf(exchange)?.type;
    const operation = request.operation === undefined ? undefined : testedOperations.get(request.operation);
    if (typeof type === "string") this.#mark("errors", `${operation?.id ?? anyPath} ${status} ${type}`);
    if (operation === undefined) return;
    this.#mark("operations", operation.id);
    const { key, schema = {} } = documented(operation.id as OperationId, status) ?? {};
    this.#mark("statuses", `${operation.id} ${key}`);
    for (const place of placesOfResponse(schema))
      if (isNamed(place) && valuesAt(exchange.json, place.steps).length > 0)
        this.#returned.add(`${operation.id} ${place.field}`);
    this.#addParts(operation, exchange, isCut);
  }

  #addParts({ id, parameters }: TestedOperation, exchange: Exchange, isCut: boolean): void {
    const sent = parameters.flatMap((one) => sentParameter(one, exchange));
    for (const { field } of sent) this.#mark("parameters", `${id} ${field}`);
    const { body } = exchange.request;
    const inBody = (body === undefined || isCut ? [] : (bodyPlaces.get(id) ?? [])).flatMap((place) =>
      valuesAt(body, place.steps).map((value) => ({ ...place, value })),
    );
    for (const { field } of inBody) this.#mark("properties", `${id} ${field}`);
    const isAccepted = isSuccess(exchange);
    // Of rejections, only these say that the request is invalid, and so something about its values.
    if (!isAccepted && ![400, 413, 422].includes(exchange.status)) return;
    for (const place of [...sent, ...inBody])
      for (const side of limitSides(place))
        if (side.isAccepted === isAccepted && side.matches(place.value))
          this.#mark("limits", `${id} ${side.label}`);
  }

  /** A label that the document does not have, such as one with an unknown error type, changes nothing. */
  #mark(kind: CoverageKind, label: string): void {
    this.#missing.get(kind)?.delete(label);
  }

  /** @param requirements those of the traffic, with their verdicts */
  result(requirements: ContractResult["requirements"], threshold?: number): CoverageResult {
    for (const { id, verdict } of requirements)
      if (verdict !== "not verified" && verdict !== "error") this.#mark("requirements", id);
    const kinds = (Object.keys(coverageKinds) as CoverageKind[]).map((kind) => {
      const { length: total } = this.#items[kind];
      const missing = this.#missing.get(kind) ?? new Set();
      const exercised = this.#items[kind].filter((label) => !missing.has(label));
      const [of, covered] = [coverageKinds[kind], exercised.length];
      return { kind, of, covered, total, exercised, missing: [...missing] };
    });
    const sum = (of: "covered" | "total"): number => kinds.reduce((total, one) => total + one[of], 0);
    const [covered, total] = [sum("covered"), sum("total")];
    const returned = [...this.#returned];
    return { covered, total, kinds, returned, ...(threshold !== undefined && { threshold }) };
  }
}

function sentParameter({ name, in: location, schema }: Parameter, { request, sent }: Exchange) {
  if (location === "path") return [{ field: name, schema: {}, value: "present" }];
  const value =
    location === "header"
      ? sent.headers[name.toLowerCase()]
      : new URLSearchParams(/\?(.*)$/s.exec(request.path)?.[1] ?? "").get(name);
  if (value === undefined || value === null) return [];
  const resolved = resolve<Schema>(document, schema);
  return [{ field: name, schema: resolved, value: parameterValue(resolved, value) }];
}

/** What a parameter means: its schema compares numbers, but it is sent as text. */
export function parameterValue({ type }: Schema, text: string): string | number {
  const isNumeric = [type].flat().some((one) => one === "integer" || one === "number");
  return isNumeric && text.trim() !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
}

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

type CoverageKind = keyof typeof coverageKinds;

const testedOperations = new Map(operationsOf(document).map((one) => [one.id, one]));

/** The label of gateway responses in place of an operation, before the status and the error type. */
const anyPath = "any path:";

function limitLabels({ id, parameters }: TestedOperation): string[] {
  const ofParameters = parameters.map(({ name, schema }) => ({
    field: name,
    schema: resolve<Schema>(document, schema),
  }));
  return [...ofParameters, ...(bodyPlaces.get(id) ?? [])]
    .flatMap(limitSides)
    .map(({ label }) => `${id} ${label}`);
}

/** All that tests can exercise, computed from the document: labels that are unique within their kind. */
function coverageItems(): Record<CoverageKind, readonly string[]> {
  const all = [...testedOperations.values()];
  const unique = (labels: string[]): string[] => [...new Set(labels)];
  return {
    operations: all.map(({ id }) => id),
    // As the document has them, such as 202 and 2XX.
    statuses: all.flatMap(({ id, operation }) =>
      Object.keys(operation.responses).flatMap((status) =>
        status.startsWith("5") ? [] : [`${id} ${status}`],
      ),
    ),
    errors: Object.values(errors).flatMap(({ status, type, operations }) => {
      if (type === null || status >= 500) return [];
      const on: readonly string[] = operations.length === 0 ? [anyPath] : operations;
      return on.map((operation) => `${operation} ${status} ${type}`);
    }),
    parameters: all.flatMap(({ id, parameters }) => parameters.map(({ name }) => `${id} ${name}`)),
    properties: unique(
      [...bodyPlaces].flatMap(([id, places]) => places.filter(isNamed).map(({ field }) => `${id} ${field}`)),
    ),
    limits: unique(all.flatMap(limitLabels)),
    requirements: decidableRequirements,
  };
}
