import { requirements } from "../../../generated/requirements.ts";
import { responses, schemas } from "../../../generated/validators/responses.js";
import { document, nameOf, resolve, type Schema } from "../document.ts";
import type { Exchange } from "../exchange.ts";
import { describeErrors, pointerOf, type ValidationError } from "../validation-errors.ts";
import type { DocumentedResponse } from "./documented.ts";
import { encodedIn, isShape } from "./encoded.ts";
import type { ResponseFinding } from "./finding.ts";
import { branchFor, type Node, nodesOf } from "./nodes.ts";

type Validate = ((data: unknown) => boolean) & { errors: ValidationError[] | null };
const rows: Record<string, { text: string }> = requirements;

/**
 * Holds the body of an answer against its schema. What is wrong breaks the requirements encoded nearest to it; a requirement of
 * shape whose place keeps to the schema holds.
 */
export function bodyFindings(exchange: Exchange, answer: DocumentedResponse): ResponseFinding[] {
  const { operation: id } = exchange.request;
  const { schema, key, operation } = answer;
  if (id === undefined || schema === undefined) return [];
  const faults = faultsOf(schema, exchange.json, (responses[id] as unknown as Rows)[key]?.body);
  const own = [{ pointer: "", ids: encodedIn(answer.response) }, ...nodesOf(schema, exchange.json)];
  // What the operation promises as a whole is broken by a broken answer, but not shown by a good one.
  const nodes = [{ pointer: "", ids: encodedIn(operation) }, ...own];
  const broken = new Map<string, ValidationError[]>();
  for (const fault of faults)
    for (const one of idsAt(pointerOf(fault), nodes)) broken.set(one, [...(broken.get(one) ?? []), fault]);
  const held = new Set(own.flatMap(({ ids }) => ids).filter((one) => isShape(one) && !broken.has(one)));
  return [
    ...[...broken].map(([one, found]) => breach(one, found)),
    ...(faults.length > 0 ? [] : [...held].map((one) => ({ ids: [one], title: lawOf(one) }))),
  ];
}

type Rows = Record<string, { body: Validate } | undefined>;

function breach(id: string, found: ValidationError[]): ResponseFinding {
  return {
    ids: [id],
    title: lawOf(id),
    failure: { expected: "a body that keeps to the document", found: describeErrors(found) },
  };
}

/** The text of a requirement as a law. */
const lawOf = (id: string): string => (rows[id]?.text ?? id).replace(/\.$/, "");

/** What is wrong with a body, by the alternative it is meant to be; of faults inside one another, the innermost. */
function faultsOf(schema: Schema, body: unknown, validate: Validate | undefined): ValidationError[] {
  if (validate === undefined || validate(body)) return [];
  const { anyOf = [], oneOf = [] } = resolve<Schema>(document, schema);
  const branch = nameOf(branchFor([...anyOf, ...oneOf], body) ?? {});
  const own = branch === undefined ? undefined : (schemas as unknown as Record<string, Validate>)[branch];
  const used = own === undefined || own(body) ? validate : own;
  const faults = used.errors ?? [];
  const isOuter = (fault: ValidationError): boolean =>
    faults.some((other) => other !== fault && pointerOf(other).startsWith(`${pointerOf(fault)}/`));
  return faults.filter((fault) => !isOuter(fault));
}

/** The requirements encoded nearest to a place: at it, or around it. */
function idsAt(place: string, nodes: Node[]): string[] {
  const around = nodes
    .filter(({ pointer, ids }) => ids.length > 0 && (place === pointer || place.startsWith(`${pointer}/`)))
    .sort((one, other) => other.pointer.length - one.pointer.length);
  const nearest = around[0]?.pointer;
  return [...new Set(around.filter(({ pointer }) => pointer === nearest).flatMap(({ ids }) => ids))];
}
