import type { ClientVerdicts, Verdicts } from "./run.ts";

function count(verdicts: Verdicts): string {
  const parts = Object.entries(Object.groupBy(Object.entries(verdicts), ([, verdict]) => verdict)).map(
    ([verdict, rows = []]) =>
      `${rows.length} ${verdict}${verdict === "pass" ? "" : ` (${rows.map(([id]) => id).join(", ")})`}`,
  );
  return parts.sort().join(", ");
}

/** The verdicts for a terminal. */
export function summary({ generated, reliable }: ClientVerdicts): string {
  const lines = [`  as generated: ${count(generated)}`];
  if (reliable !== undefined) lines.push(`  with the code of its README: ${count(reliable)}`);
  return lines.join("\n");
}
