import type { OpenApiDocument } from "./types.ts";
import { constant, keyed } from "./typescript.ts";

/** Declared here, and not with the types from schemas: readers of the guide copy the file of the errors alone. */
const errorDeclarations = `/** An error: one row for each status and \`error.type\`. */
export interface ErrorRow {
  /** \`<status>.<type>\`, or the status alone if the type is unspecified. */
  readonly id: string;
  readonly status: number;
  /** \`error.type\`; null if unspecified. */
  readonly type: string | null;
  readonly when: string;
  /** The operations that can return it; empty for gateway responses. */
  readonly operations: readonly string[];
  /** Whether \`error.fields\` is required. */
  readonly namesFields: boolean;
  /** Whether to retry the request: never, after \`Retry-After\`, or with backoff. */
  readonly retry: "never" | "after" | "backoff";
  /** What to do about it. */
  readonly resolution: string;
}

`;

export function errorsFile(document: OpenApiDocument): string {
  const rows = document["x-errors"].map((row) => {
    const { id, status, type, when, operations, namesFields = false, retry, resolution } = row;
    return { id, status, type, when, operations, namesFields, retry, resolution };
  });
  return (
    `${errorDeclarations}${constant("errors", "The error table, by id.", keyed(rows, "x-errors"), "Record<string, ErrorRow>")}\n` +
    "/** The id of a row of the error table. */\nexport type ErrorId = keyof typeof errors;\n"
  );
}
