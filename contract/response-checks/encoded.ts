import { requirements } from "../../generated/requirements.ts";
import type { Schema } from "../document.ts";

const rows: Record<string, { kind: string; excluded?: string }> = requirements;

/** By list, because every response needs the same few. */
const known = new WeakMap<readonly string[], readonly string[]>();
const none: readonly string[] = [];

/** The requirements that a node of the document encodes, without those of clients. */
export function encodedIn(node: object | undefined): readonly string[] {
  const all = (node as Schema | undefined)?.["x-encodes"] as readonly string[] | undefined;
  if (all === undefined) return none;
  const found = known.get(all) ?? all.filter(isObserved);
  known.set(all, found);
  return found;
}

const isObserved = (id: string): boolean =>
  rows[id] !== undefined && rows[id].kind !== "client" && rows[id].excluded === undefined;

/** Whether one valid response verifies the requirement. */
export const isShape = (id: string): boolean => rows[id]?.kind === "shape";
