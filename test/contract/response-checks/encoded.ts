import { requirements } from "../../../generated/requirements.ts";
import type { Schema } from "../document.ts";

const rows: Record<string, { kind: string; excluded?: string }> = requirements;

/** The requirements that a node of the document encodes, without those of clients. */
export const encodedIn = (node: object | undefined): string[] =>
  ((node as Schema | undefined)?.["x-encodes"] as string[] | undefined)?.filter(
    (id) => rows[id] !== undefined && rows[id].kind !== "client" && rows[id].excluded === undefined,
  ) ?? [];

/** Whether one valid response verifies the requirement. */
export const isShape = (id: string): boolean => rows[id]?.kind === "shape";
