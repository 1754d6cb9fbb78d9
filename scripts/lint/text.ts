import { styleText } from "node:util";
import { count } from "../../lib/count.ts";
import { wrapped } from "../../lib/wrap-text.ts";
import type { Finding } from "./finding.ts";

const colours = { error: "red", warn: "yellow" } as const;

/**
 * The findings for a terminal of 80 columns: position, severity, rule and what to do for each, then the counts.
 */
export function findingsText(findings: Finding[]): string {
  if (findings.length === 0) return "No problems found.";
  return [...findings.map(block), counts(findings)].join("\n\n");
}

function block({ file, line, column, severity, rule, message }: Finding): string {
  const place = `${file}:${line}:${column}`;
  const head = `${styleText("bold", place)}  ${styleText(colours[severity], severity)}  ${rule}`;
  const text = message.trim().replaceAll(/\s+/g, " ");
  return `${head}\n${wrapped(`  ${text}`, "  ", { wholeWords: true })}`;
}

function counts(findings: Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  return `${count(findings.length, "problem")} found: ${count(errors, "error")}, ${count(warnings, "warning")}.`;
}
