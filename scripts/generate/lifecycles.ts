import { mapValues } from "../../lib/objects.ts";
import { UserError } from "../../lib/user-error.ts";
import { valueAtPointer } from "../document/json-pointer.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { isNode } from "../document/values.ts";
import { literal } from "./print.ts";

const declarations = `/** A transition between states of a record. */
export interface Transition {
  /** The states it starts from; null if the record is created. */
  readonly from: readonly string[] | null;
  /** The event that triggers it. */
  readonly on: string;
  /** The condition for it. */
  readonly when?: string;
  /** The new state; null if the state is unchanged or unspecified. */
  readonly to: string | null;
  /** Other effects. */
  readonly effect?: string;
  /** \`error.type\` if the event is rejected. */
  readonly error?: string;
}

/** The states in which a property is set, and in which it is null; other states are unspecified. */
export interface PropertyStates {
  readonly property: string;
  readonly set?: readonly string[];
  readonly unset?: readonly string[] | "all";
  /** Values of properties, or pointers to schemas that they are valid under, in which the row says nothing. */
  readonly unless?: Readonly<Record<string, unknown>>;
}

/** Records with a state. */
export interface LifecycleRecord {
  /** The pointer to their schema. */
  readonly schema: string;
  /** The property with the state. */
  readonly state: string;
  readonly properties: readonly PropertyStates[];
}

/** The states of a record and the transitions between them. */
export interface Lifecycle {
  readonly description: string;
  readonly states: readonly string[];
  /** States whose transitions are unspecified. */
  readonly unspecified: readonly string[];
  readonly records: readonly LifecycleRecord[];
  readonly transitions: readonly Transition[];
}

/** A simulated recipient: an email address with a fixed outcome. */
export interface SimulatorRecipient {
  /** The part before the @. */
  readonly localPart: string;
  readonly description: string;
  /** The states of a message to it, in order; empty if unspecified. */
  readonly states: readonly string[];
}

`;

/** The lifecycles and the simulated recipients as data. */
export function lifecyclesFile(document: OpenApiDocument): string {
  const lifecycles = mapValues(document["x-lifecycles"], (lifecycle, name) => ({
    description: lifecycle.description,
    states: statesOf(document, name, lifecycle.schema),
    unspecified: lifecycle.unspecified ?? [],
    records: (lifecycle.records ?? []).map(({ properties, ...record }) => ({
      ...record,
      properties: properties.map(withoutExtensions),
    })),
    transitions: lifecycle.transitions.map(withoutExtensions),
  }));
  const { domain, recipients } = document["x-simulator"];
  const simulator = { domain, recipients: recipients.map(withoutExtensions) };
  return (
    `${declarations}/** The lifecycles by record name. */\n` +
    `export const lifecycles = ${literal(lifecycles)} as const satisfies Record<string, Lifecycle>;\n\n` +
    "/** The simulated recipients. Messages to them never leave the mail network. */\n" +
    `export const simulator = ${literal(simulator)} as const satisfies {\n` +
    "  readonly domain: string;\n  readonly recipients: readonly SimulatorRecipient[];\n};\n"
  );
}

/**
 * The states of a record, from the schema of its status.
 *
 * @throws UserError if the schema has no enum
 */
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
