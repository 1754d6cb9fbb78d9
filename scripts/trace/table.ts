import { unobservable } from "../../test/contract/unobservable.ts";
import type { OpenApiDocument, RequirementRow } from "../document/types.ts";
import type { Check } from "./checks.ts";
import { namings } from "./namings.ts";

/** One requirement against everything that keeps it. */
export interface TraceRow extends Omit<RequirementRow, "excluded"> {
  /** The topic it belongs to, which is the name of its file. */
  topic: string;
  /** JSON pointers into the bundle: the nodes that encode it. */
  encodedAt: string[];
  /** The checks of the contract suite that verify it. */
  checks: { law: string; file: string }[];
  /** Why no check can verify it, or null. */
  excluded: string | null;
}

/** One place that the service leaves open, against the nodes that say so. */
export interface OpenRow {
  id: string;
  text: string;
  source: string;
  operations: string[];
  /** JSON pointers into the bundle: the nodes that leave it open. */
  leftOpenAt: string[];
}

/** How many requirements are kept in which way; one that is kept in several ways counts under each. */
export interface TraceSummary {
  requirements: number;
  encoded: number;
  checked: number;
  excluded: number;
  neither: number;
}

/** Sets every requirement of a bundled document against where it is encoded and the checks that verify it. */
export function traceTable(document: OpenApiDocument, checks: Check[]): TraceRow[] {
  const encoded = namings(document, "x-encodes");
  return Object.entries(document["x-requirements"]).flatMap(([topic, rows]) =>
    rows.map(({ id, text, source, kind, operations, excluded }) => ({
      id,
      topic,
      text,
      source,
      kind,
      operations,
      encodedAt: encoded.get(id) ?? [],
      checks: checks.filter(({ ids }) => ids.includes(id)).map(({ law, file }) => ({ law, file })),
      excluded: excluded ?? unobservable[id] ?? (kind === "client" ? "It is for clients to keep." : null),
    })),
  );
}

/** Sets every open place of a bundled document against the nodes that leave it open. */
export function openTable(document: OpenApiDocument): OpenRow[] {
  const leftOpen = namings(document, "x-leaves-unspecified");
  return document["x-unspecified"].map(({ id, text, source, operations }) => ({
    id,
    text,
    source,
    operations,
    leftOpenAt: leftOpen.get(id) ?? [],
  }));
}

/** Counts the rows of a trace. */
export const summarize = (rows: TraceRow[]): TraceSummary => ({
  requirements: rows.length,
  encoded: rows.filter(({ encodedAt }) => encodedAt.length > 0).length,
  checked: rows.filter(({ checks }) => checks.length > 0).length,
  excluded: rows.filter(({ excluded }) => excluded !== null).length,
  neither: rows.filter((row) => row.encodedAt.length + row.checks.length === 0 && row.excluded === null)
    .length,
});
