import type { RequirementRow, UnspecifiedRow } from "../../generated/schema-types.ts";
import { markedAt, requirementsOf } from "../document/requirements.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { isOfClients, isOfModel, type TracedCheck } from "./checks.ts";

/** A requirement with what encodes and verifies it. */
export interface TraceRow extends Omit<RequirementRow, "excluded"> {
  /** Its topic, the name of its file. */
  topic: string;
  /** JSON Pointers into the bundle: the nodes that encode it. */
  encodedAt: string[];
  /** The checks of the contract suite that verify it. */
  checks: { title: string; file: string }[];
  /** Why no check verifies it, or null. */
  excluded: string | null;
}

/** An unspecified item with the nodes that name it. */
export interface UnspecifiedTraceRow extends Omit<UnspecifiedRow, "absent"> {
  /** JSON Pointers into the bundle: the nodes that name it in `x-leaves-unspecified`. */
  unspecifiedAt: string[];
}

export function traceTable(document: OpenApiDocument, checks: readonly TracedCheck[]): TraceRow[] {
  const encoded = markedAt({ ...document }, "x-encodes");
  return requirementsOf(document).map(({ excluded = null, ...row }) => ({
    ...row,
    encodedAt: encoded.get(row.id) ?? [],
    checks: checks.filter(({ ids }) => ids.includes(row.id)).map(({ title, file }) => ({ title, file })),
    excluded,
  }));
}

export function unspecifiedTable(document: OpenApiDocument): UnspecifiedTraceRow[] {
  const marked = markedAt({ ...document }, "x-leaves-unspecified");
  return document["x-unspecified"].map(({ absent: _, ...row }) => ({
    ...row,
    unspecifiedAt: marked.get(row.id) ?? [],
  }));
}

/** The numbers of requirements; one that is both encoded and checked is in both numbers. */
export const summarize = (rows: TraceRow[]) => ({
  requirements: rows.length,
  encoded: rows.filter(({ encodedAt }) => encodedAt.length > 0).length,
  checked: rows.filter(({ checks }) => checks.length > 0).length,
  excluded: rows.filter(({ excluded }) => excluded !== null).length,
  neither: rows.filter(({ checks, excluded }) => checks.length === 0 && excluded === null).length,
});

/**
 * The requirements that are neither checked nor excluded, and those that are both, a sentence each. A requirement on clients needs a check
 * of clients, every other one a check of servers besides the model.
 */
export const verificationProblems = (rows: TraceRow[]): string[] =>
  rows.flatMap(({ id, kind, checks, excluded }) => {
    const isOfClient = kind === "client";
    const own = checks.filter((check) => isOfClients(check) === isOfClient);
    const folder = isOfClient ? "contract/client-suite/checks/" : "contract/checks/";
    if (own.every(isOfModel) && excluded === null)
      return [`${id} has no check: add one in ${folder}, or \`excluded\` with the reason to its row.`];
    if (own.length > 0 && excluded !== null) return [`${id} is checked: remove \`excluded\` from its row.`];
    return [];
  });
