import { styleText } from "node:util";
import { wrapped } from "../../lib/wrap-text.ts";
import type { Finding } from "./finding.ts";

const colours = { error: "red", warn: "yellow" } as const;

/**
 * The findings for a terminal of 80 columns: of each the place, the severity and the rule, then what to do, and a
 * last line that counts them.
 */
export function findingsText(findings: Finding[]): string {
  if (findings.length === 0) return "Nothing found.";
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
  return `${findings.length} found: ${counted(errors, "error")}, ${counted(warnings, "warning")}.`;
}

const counted = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
