import type { OpenApiDocument } from "../document/types.ts";
import { keyed } from "./keyed.ts";
import { header } from "./notice.ts";
import { literal } from "./print.ts";

const declarations = `/** What can go wrong: one row for each status and \`error.type\`. */
export interface ErrorRow {
  /** \`<status>.<type>\`, or the status alone where the service names no type. */
  readonly id: string;
  readonly status: number;
  /** \`error.type\` of the answer; null where it is not specified. */
  readonly type: string | null;
  readonly when: string;
  /** The operations it can happen on; none where the answer comes before any operation is reached. */
  readonly operations: readonly string[];
  /** Whether to repeat the call: not at all, after the time that the answer tells, or with growing pauses. */
  readonly retry: "never" | "after" | "backoff";
  /** What the caller does about it. */
  readonly resolution: string;
}

`;

/** The error table as data, by the id of the row. */
export function errorsFile(document: OpenApiDocument): string {
  const rows = document["x-errors"].map(({ id, status, type, when, operations, retry, resolution }) => ({
    id,
    status,
    type,
    when,
    operations,
    retry,
    resolution,
  }));
  return (
    `${header}${declarations}/** The error table, by id. */\n` +
    `export const errors = ${literal(keyed(rows, "x-errors"))} as const satisfies Record<string, ErrorRow>;\n\n` +
    "/** The id of a row of the error table. */\nexport type ErrorId = keyof typeof errors;\n"
  );
}
