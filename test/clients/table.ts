import type { Client } from "./client.ts";
import type { ClientVerdicts, SuiteResult } from "./run.ts";

/** What a client can lack, with the requirements that it fails then. */
const topics: Readonly<Record<string, readonly string[]>> = {
  retries: ["ERR-15", "HEAD-9"],
  "idempotency keys": ["IDEM-5", "IDEM-10"],
  "an `Accept` header": ["GEN-5"],
  "unchanged request bodies": ["GEN-3"],
  "times in ISO 8601": ["GEN-6"],
  "safe ids in paths": ["GEN-1", "GEN-8"],
  "ids in any form": ["SEND-32"],
  "encoded email addresses in paths": ["GEN-9"],
  encryption: ["GEN-2"],
  "protection of the API key": ["AUTH-1", "AUTH-6"],
  "complete results": [
    ...["SEND-31", "BATCH-9", "LOOK-1", "LOOK-15", "SCHED-9", "SCHED-15", "LIST-1", "LIST-5"],
    ...["CONT-3", "CONT-23", "UNSUB-9", "ME-1"],
  ],
  "an error for a success that is not JSON": ["GEN-4"],
  "unknown fields and types": ["GEN-10", "GEN-11", "GEN-12"],
  "errors with status, type and fields": ["ERR-2", "ERR-3", "ERR-4", "ERR-5", "BATCH-8", "HEAD-1"],
  "errors without a body": ["ERR-13", "ERR-14"],
};

/** The topic of a requirement; undefined if it has none. */
export const topicOf = (id: string): string | undefined =>
  Object.keys(topics).find((topic) => topics[topic]?.includes(id));

const notPassed = ({ verdicts }: SuiteResult): string[] =>
  Object.keys(verdicts).filter((id) => verdicts[id] !== "pass");

/** How many requirements pass, and what the client lacks: it also lacks what its driver declares not to have. */
function textOf(result: SuiteResult): string {
  const failed = notPassed(result);
  const lacking = Object.keys(topics).filter(
    (topic) =>
      topics[topic]?.some((id) => failed.includes(id)) ||
      (topic === "retries" && !result.retries) ||
      (topic === "idempotency keys" && result.idempotencyKeys === "explicit"),
  );
  const all = Object.keys(result.verdicts).length;
  return `${all - failed.length} of ${all} requirements pass${lacking.length === 0 ? "" : `; lacks ${lacking.join(", ")}`}`;
}

/** The results for a terminal. */
export function summary({ generated, reliable }: ClientVerdicts): string {
  const runs = { "as it is": generated, ...(reliable && { "with the code of its README": reliable }) };
  const lines = Object.entries(runs).flatMap(([name, result]) => [
    `  ${name}: ${textOf(result)}`,
    ...notPassed(result).map((id) => `    ${id} ${result.verdicts[id]}`),
  ]);
  return lines.join("\n");
}

const row = (cells: string[]): string => `| ${cells.join(" | ")} |`;

/** The part of the guide: a table, whose cells need no head because a phone shows none, and the requirements by topic. */
export function guidePart(rows: { client: Client; verdicts: ClientVerdicts }[]): string {
  const table = [
    ["Client", "As it is", "With the code of its README"],
    ["---", "---", "---"],
    ...rows.map(({ client: { id, language, title }, verdicts: { generated, reliable } }) => [
      `[${language}: ${title}](../clients/${id}/README.md)`,
      `As it is, ${textOf(generated)}`,
      reliable === undefined ? "It needs no code" : `With its code, ${textOf(reliable)}`,
    ]),
  ];
  const requirements = Object.entries(topics)
    .filter(([topic]) => table.flat().some((cell) => cell.includes(topic)))
    .map(([topic, ids]) => `- ${topic}: ${ids.join(", ")}`);
  return [
    ...table.map(row),
    "\nA client that lacks something fails at least one of these requirements, or does not have it at all:\n",
    ...requirements,
  ].join("\n");
}
