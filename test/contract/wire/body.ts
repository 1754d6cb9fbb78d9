import { requirements } from "../../../generated/requirements.ts";
import { responses, schemas } from "../../../generated/validators/responses.js";
import { document, nameOf, resolve, type Schema } from "../document.ts";
import type { Exchange } from "../engine/exchange.ts";
import { type Fault, inWords, placeOf } from "../faults.ts";
import type { DocumentedAnswer } from "./documented.ts";
import type { WireFinding } from "./finding.ts";
import { branchFor, type Node, nodesOf } from "./nodes.ts";
import { isShape, promisedBy } from "./promised.ts";

type Validate = ((data: unknown) => boolean) & { errors: Fault[] | null };
const rows: Record<string, { text: string }> = requirements;

/**
 * Holds the body of an answer against its schema. What is wrong breaks the requirements encoded nearest to it; a requirement of
 * shape whose place keeps to the schema holds.
 */
export function bodyFindings(exchange: Exchange, answer: DocumentedAnswer): WireFinding[] {
  const { operation: id } = exchange.request;
  const { schema, key, operation } = answer;
  if (id === undefined || schema === undefined) return [];
  const faults = faultsOf(schema, exchange.json, (responses[id] as unknown as Rows)[key]?.body);
  const own = [{ pointer: "", ids: promisedBy(answer.answer) }, ...nodesOf(schema, exchange.json)];
  // What the operation promises as a whole is broken by a broken answer, but not shown by a good one.
  const nodes = [{ pointer: "", ids: promisedBy(operation) }, ...own];
  const broken = new Map<string, Fault[]>();
  for (const fault of faults)
    for (const one of idsAt(placeOf(fault), nodes)) broken.set(one, [...(broken.get(one) ?? []), fault]);
  const held = new Set(own.flatMap(({ ids }) => ids).filter((one) => isShape(one) && !broken.has(one)));
  return [
    ...[...broken].map(([one, found]) => breach(one, found)),
    ...(faults.length > 0 ? [] : [...held].map((one) => ({ ids: [one], law: lawOf(one) }))),
  ];
}

type Rows = Record<string, { body: Validate } | undefined>;

function breach(id: string, found: Fault[]): WireFinding {
  return {
    ids: [id],
    law: lawOf(id),
    breach: { expected: "a body that keeps to the document", found: inWords(found) },
  };
}

/** The text of a requirement as a law. */
const lawOf = (id: string): string => (rows[id]?.text ?? id).replace(/\.$/, "");

/** What is wrong with a body, by the alternative it is meant to be; of faults inside one another, the innermost. */
function faultsOf(schema: Schema, body: unknown, validate: Validate | undefined): Fault[] {
  if (validate === undefined || validate(body)) return [];
  const { anyOf = [], oneOf = [] } = resolve<Schema>(document, schema);
  const branch = nameOf(branchFor([...anyOf, ...oneOf], body) ?? {});
  const own = branch === undefined ? undefined : (schemas as unknown as Record<string, Validate>)[branch];
  const used = own === undefined || own(body) ? validate : own;
  const faults = used.errors ?? [];
  const isOuter = (fault: Fault): boolean =>
    faults.some((other) => other !== fault && placeOf(other).startsWith(`${placeOf(fault)}/`));
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
