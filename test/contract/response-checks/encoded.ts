import { requirements } from "../../../generated/requirements.ts";
import type { Schema } from "../document.ts";

const rows: Record<string, { kind: string; excluded?: string }> = requirements;

/** The requirements that a node of the document encodes, but for those that are the client's to keep. */
export const encodedIn = (node: object | undefined): string[] =>
  ((node as Schema | undefined)?.["x-encodes"] as string[] | undefined)?.filter(
    (id) => rows[id] !== undefined && rows[id].kind !== "client" && rows[id].excluded === undefined,
  ) ?? [];

/** Whether one well-formed answer is all that a requirement asks for, so that the wire alone can verify it. */
export const isShape = (id: string): boolean => rows[id]?.kind === "shape";
