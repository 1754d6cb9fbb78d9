import { styleText } from "node:util";
import type { Finding } from "./finding.ts";

const width = 80;
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
  return [head, ...wrapped(message, width - 2).map((text) => `  ${text}`)].join("\n");
}

function counts(findings: Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  return `${findings.length} found: ${counted(errors, "error")}, ${counted(warnings, "warning")}.`;
}

const counted = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;

/** The text in lines of at most `length` characters, broken at spaces; a longer word stands alone. */
function wrapped(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= length)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
