import { styleText } from "node:util";
import { count, wrapped } from "../../lib/text.ts";
import type { SourcePlace } from "../document/locate.ts";

/** A finding of a lint rule: where, and what to do. */
export interface Finding extends SourcePlace {
  /** Custom: what only the document and its workflows together show. */
  tool: "redocly" | "spectral" | "custom";
  rule: string;
  severity: "error" | "warn";
  message: string;
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

const colours = { error: "red", warn: "yellow" } as const;

/**
 * The findings for a terminal of 80 columns: position, severity, rule and what to do for each, then the counts.
 */
export const findingsText = (findings: Finding[]): string =>
  findings.length === 0 ? "No problems found." : [...findings.map(block), counts(findings)].join("\n\n");

function block({ file, line, column, severity, rule, message }: Finding): string {
  const place = `${file}:${line}:${column}`;
  const head = `${styleText("bold", place)}  ${styleText(colours[severity], severity)}  ${rule}`;
  return `${head}\n${wrapped(`  ${message.trim().replaceAll(/\s+/g, " ")}`, "  ", { wholeWords: true })}`;
}

function counts(findings: Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  return `${count(findings.length, "problem")} found: ${count(errors, "error")}, ${count(warnings, "warning")}.`;
}
