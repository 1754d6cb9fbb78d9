import { mapValues } from "../../lib/map-values.ts";
import { UserError } from "../../lib/user-error.ts";
import { valueAtPointer } from "../document/json-pointer.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { isNode } from "../document/values.ts";
import { header } from "./notice.ts";
import { literal } from "./print.ts";

const declarations = `/** One step in the life of a record. */
export interface Transition {
  /** The states it starts from; null where there was nothing before. */
  readonly from: readonly string[] | null;
  /** What sets it off. */
  readonly on: string;
  /** The condition under which it happens. */
  readonly when?: string;
  /** The state it ends in; null where the state stays as it is. */
  readonly to: string | null;
  /** What else happens. */
  readonly effect?: string;
  /** \`error.type\` of the refusal, where the step is one. */
  readonly error?: string;
}

/** The life of a record: which steps lead from which state to which. */
export interface Lifecycle {
  readonly description: string;
  readonly states: readonly string[];
  /** States of which it is not specified what leads to them and away from them. */
  readonly unspecified: readonly string[];
  readonly transitions: readonly Transition[];
}

/** An address that behaves in a fixed way. */
export interface SimulatorRecipient {
  /** What stands before the @. */
  readonly localPart: string;
  readonly description: string;
  /** The states a message to it goes through; empty where the service does not tell. */
  readonly states: readonly string[];
}

`;

/** The lifecycles and the simulated recipients as data. */
export function lifecyclesFile(document: OpenApiDocument): string {
  const lifecycles = mapValues(document["x-lifecycles"], (lifecycle, name) => ({
    description: lifecycle.description,
    states: statesOf(document, name, lifecycle.schema),
    unspecified: lifecycle.unspecified ?? [],
    transitions: lifecycle.transitions.map(withoutExtensions),
  }));
  const { domain, recipients } = document["x-simulator"];
  const simulator = { domain, recipients: recipients.map(withoutExtensions) };
  return (
    `${header}${declarations}` +
    "/** The lifecycles by the name of the record. */\n" +
    `export const lifecycles = ${literal(lifecycles)} as const satisfies Record<string, Lifecycle>;\n\n` +
    "/** The addresses for trying things out; nothing sent to them leaves the mail network. */\n" +
    `export const simulator = ${literal(simulator)} as const satisfies {\n` +
    "  readonly domain: string;\n  readonly recipients: readonly SimulatorRecipient[];\n};\n"
  );
}

/** The states of a record, from the schema of its status. Throws a Failure where that schema has no enum. */
export function statesOf(document: OpenApiDocument, name: string, pointer: string): unknown[] {
  const schema = valueAtPointer(document, pointer);
  if (isNode(schema) && Array.isArray(schema.enum)) return schema.enum;
  throw new UserError(`openapi/lifecycles.yaml: ${name}: there is no enum at ${pointer}`, {
    hint: "Point `schema` at the schema that lists the states.",
  });
}

function withoutExtensions(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !key.startsWith("x-")));
}
