import type { Client } from "./client.ts";
import type { ClientVerdicts, Verdicts } from "./run.ts";

/** Short names of the requirements that clients fail. */
export const labels: Readonly<Record<string, string>> = {
  "AUTH-6": "no API key in output",
  "ERR-14": "500 without a body",
  "ERR-15": "retries",
  "GEN-5": "`Accept` header",
  "GEN-8": "ids in paths",
  "GEN-9": "email addresses in paths",
  "GEN-10": "unknown fields",
  "GEN-11": "unknown event types",
  "GEN-12": "unknown error types",
  "HEAD-9": "`Retry-After`",
  "IDEM-5": "idempotency keys",
};

const nameOf = (id: string): string => (labels[id] === undefined ? id : `${labels[id]} (${id})`);

/** How many requirements pass, and which others do not: `8 of 9 pass; fail: retries (ERR-15)`. */
function countOf(verdicts: Verdicts): string {
  const { pass = [], ...others } = Object.groupBy(Object.keys(verdicts), (id) => verdicts[id] ?? "");
  const lists = Object.entries(others).map(
    ([verdict, ids = []]) =>
      `; ${verdict.replace("expected failure", "fail")}: ${ids.map(nameOf).join(", ")}`,
  );
  return `${pass.length} of ${Object.keys(verdicts).length} pass${lists.sort().join("")}`;
}

/** The verdicts for a terminal. */
export function summary({ generated, reliable }: ClientVerdicts): string {
  const lines = [`  as generated: ${countOf(generated)}`];
  if (reliable !== undefined) lines.push(`  with the code of its README: ${countOf(reliable)}`);
  return lines.join("\n");
}

const row = (cells: string[]): string => `| ${cells.join(" | ")} |`;

/** The table of the guide. Its cells need no head: a phone shows none. */
export function guideTable(rows: { client: Client; verdicts: ClientVerdicts }[]): string {
  return [
    ["Client", "As it is", "With the code of its README"],
    ["---", "---", "---"],
    ...rows.map(({ client: { id, language, title }, verdicts: { generated, reliable } }) => [
      `[${language}: ${title}](../clients/${id}/README.md)`,
      countOf(generated),
      reliable === undefined ? "needs none" : `with its code ${countOf(reliable)}`,
    ]),
  ]
    .map(row)
    .join("\n");
}
