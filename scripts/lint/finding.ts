/** A finding of a lint rule: where, and what to do. */
export interface Finding {
  tool: "redocly" | "spectral";
  rule: string;
  severity: "error" | "warn";
  message: string;
  /** The source file, relative to the package if it is in it. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** JSON Pointer: into the bundle for Spectral, into the file for Redocly. */
  pointer: string;
}

/** The order of findings: by file, line, column and rule, the same in every locale. */
export const byPlace = (one: Finding, other: Finding): number =>
  compared(one.file, other.file) ||
  one.line - other.line ||
  one.column - other.column ||
  compared(one.rule, other.rule);

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
