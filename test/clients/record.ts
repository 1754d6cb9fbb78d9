import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/common/paths.ts";
import { type Client, type ClientVerdicts, readClients, type SuiteResult } from "./client.ts";
import { generators } from "./generators.ts";
import { commandsOf, type Result } from "./tools.ts";

/** The last successful run of each client and generator, by name: its commands then, and what the guides show. */
interface LastRuns {
  clients: Record<string, ClientVerdicts & { commands: string[] }>;
  generators: Record<string, Pick<Result, "seconds"> & { commands: string[] }>;
}

const file = join(import.meta.dirname, "last-runs.json");

export const lastRuns = async (): Promise<LastRuns> => JSON.parse(await readFile(file, "utf8"));

/** The commands that a run of a client depends on. */
export const recordedCommands = ({ tool, example, driver, reliable }: Client): string[] =>
  [...commandsOf(tool), example, driver, reliable].filter((command) => command !== undefined);

/** The guides with results: the path of each, and its generated part. */
const guides = [
  {
    path: join(root, "docs/clients.md"),
    place: /(?<=<!-- npm run clients -->\n)[\s\S]*(?=<!-- end -->)/,
    part: (runs: LastRuns): string => `\n${clientsPart(readClients(), runs)}\n\n`,
  },
  {
    path: join(root, "docs/generating-a-client.md"),
    place: /(?<=<!-- npm run clients -- --generators -->\n)[\s\S]*(?=<!-- end -->)/,
    part: (runs: LastRuns): string => `\n${generatorsPart(runs)}\n`,
  },
];

/** Each guide, and how it must be after these runs. */
export const guidesAfter = (runs: LastRuns): Promise<{ path: string; current: string; expected: string }[]> =>
  Promise.all(
    guides.map(async ({ path, place, part }) => {
      const current = await readFile(path, "utf8");
      return { path, current, expected: current.replace(place, () => part(runs)) };
    }),
  );

/** Records a run that passed, and writes the guides. */
export async function record<Kind extends keyof LastRuns>(
  kind: Kind,
  name: string,
  run: LastRuns[Kind][string],
): Promise<void> {
  const runs = await lastRuns();
  runs[kind][name] = run;
  const names = kind === "clients" ? readClients().map(({ id }) => id) : generators.map((one) => one.name);
  const inOrder = names.flatMap((one) => (runs[kind][one] === undefined ? [] : [[one, runs[kind][one]]]));
  const updated = { ...runs, [kind]: Object.fromEntries(inOrder) };
  await writeFile(file, `${JSON.stringify(updated, null, 2)}\n`);
  for (const { path, expected } of await guidesAfter(updated)) await writeFile(path, expected);
}

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

/** The results of a client for a terminal. */
export function summary({ generated, reliable }: ClientVerdicts): string {
  const runs = { "as it is": generated, ...(reliable && { "with the code of its README": reliable }) };
  const lines = Object.entries(runs).flatMap(([name, result]) => [
    `  ${name}: ${textOf(result)}`,
    ...notPassed(result).map((id) => `    ${id} ${result.verdicts[id]}`),
  ]);
  return lines.join("\n");
}

const row = (cells: string[]): string => `| ${cells.join(" | ")} |`;

/** The clients as a table, whose cells need no head because a phone shows none, and the requirements by topic. */
function clientsPart(clients: readonly Client[], runs: LastRuns): string {
  const rows = clients.flatMap(({ id, language, title }) => {
    const run = runs.clients[id];
    if (run === undefined) return [];
    const { generated, reliable } = run;
    const withCode = reliable === undefined ? "It needs no code" : `With its code, ${textOf(reliable)}`;
    return [
      [`[${language}: ${title}](../clients/${id}/README.md)`, `As it is, ${textOf(generated)}`, withCode],
    ];
  });
  const table = [["Client", "As it is", "With the code of its README"], ["---", "---", "---"], ...rows];
  const requirements = Object.entries(topics)
    .filter(([topic]) => table.flat().some((cell) => cell.includes(topic)))
    .map(([topic, ids]) => `- ${topic}: ${ids.join(", ")}`);
  return [
    ...table.map(row),
    "\nA client that lacks something fails at least one of these requirements, or does not have it at all:\n",
    ...requirements,
  ].join("\n");
}

/** The generators as a table, and the commands of each. */
function generatorsPart(runs: LastRuns): string {
  const ran = generators.flatMap((generator) => {
    const run = runs.generators[generator.name];
    return run === undefined ? [] : [{ generator, seconds: run.seconds }];
  });
  const table = [
    ["Generator", "Language", "Last run"],
    ["---", "---", "---"],
    ...ran.map(({ generator: { name, version, language, document }, seconds: { generate, compile } }) => [
      `${name} ${version}`,
      language,
      `\`${document}\`: generated in ${generate} s${compile === undefined ? "" : `, compiled in ${compile} s`}`,
    ]),
  ];
  const commands = ran.flatMap(({ generator }) => [
    `\n**${generator.name}** ${generator.note ?? ""}`.trimEnd(),
    ...["\n```sh", ...commandsOf(generator), "```"],
  ]);
  return `${[...table.map(row), ...commands].join("\n")}\n`;
}
