import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/common/paths.ts";
import { generatedPart } from "../generated-part.ts";
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

/** The guides with results: the path of each, and its generated part. The first is for who chooses a client, the second for who maintains one. */
const guides = [
  {
    path: join(root, "docs/clients.md"),
    place: generatedPart("npm run clients"),
    part: (runs: LastRuns): string => `\n${overview(readClients(), runs)}\n\n`,
  },
  {
    path: join(root, "clients/README.md"),
    place: generatedPart("npm run clients"),
    part: (runs: LastRuns): string => `\n${results(readClients(), runs)}\n\n`,
  },
  {
    path: join(root, "docs/generating-a-client.md"),
    place: generatedPart("npm run clients -- --generators"),
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

interface Topic {
  /** What happens without it, for who chooses a client. */
  without: string;
  requirements: readonly string[];
}

/** What a client can lack, with the requirements that it fails then. */
const topics: Readonly<Record<string, Topic>> = {
  retries: {
    without:
      "a call fails after a lost connection, a 429 or a 503, or the client repeats it when that is not safe",
    requirements: ["ERR-15", "HEAD-9"],
  },
  "idempotency keys": {
    without: "your program passes the key, or a repeated send can send twice",
    requirements: ["IDEM-5", "IDEM-10"],
  },
  "an `Accept` header": {
    without: "the client does not ask for JSON",
    requirements: ["GEN-5"],
  },
  "exact request bodies": {
    without: "the client leaves out a null, shortens a time, or adds a default, as its guide says",
    requirements: ["GEN-3"],
  },
  "times in ISO 8601": {
    without: "the service rejects a scheduled time",
    requirements: ["GEN-6"],
  },
  "safe ids in paths": {
    without: "the client requests another path for an id with a space or another special character",
    requirements: ["GEN-1", "GEN-8"],
  },
  "ids in any form": { without: "an id of a new form is an error", requirements: ["SEND-32"] },
  "encoded email addresses in paths": {
    without: "the client requests another path for an email address with a special character",
    requirements: ["GEN-9"],
  },
  encryption: { without: "the client sends the API key over plain http", requirements: ["GEN-2"] },
  "protection of the API key": {
    without: "the key appears where the client is printed or logged",
    requirements: ["AUTH-1", "AUTH-6"],
  },
  "complete results": {
    without: "some values of a response are an error, or are lost",
    requirements: [
      ...["SEND-31", "BATCH-9", "LOOK-1", "LOOK-15", "SCHED-9", "SCHED-15", "LIST-1", "LIST-5"],
      ...["CONT-3", "CONT-23", "UNSUB-9", "ME-1"],
    ],
  },
  "an error for a success that is not JSON": {
    without:
      "a page of a proxy, or a success without a body, looks like an empty result, or JSON like an error",
    requirements: ["GEN-4"],
  },
  "unknown fields and types": {
    without: "a field or type that the service adds is an error",
    requirements: ["GEN-10", "GEN-11", "GEN-12"],
  },
  "errors with status, type and fields": {
    without: "your program cannot tell errors apart",
    requirements: ["ERR-2", "ERR-3", "ERR-4", "ERR-5", "BATCH-8", "HEAD-1"],
  },
  "a status for every error": {
    without: "the error of a 500, 502 or 503 without a JSON body does not name the status",
    requirements: ["ERR-13", "ERR-14"],
  },
};

/** The topic of a requirement; undefined if it has none. */
export const topicOf = (id: string): string | undefined =>
  Object.keys(topics).find((topic) => topics[topic]?.requirements.includes(id));

const notPassed = ({ verdicts }: SuiteResult): string[] =>
  Object.keys(verdicts).filter((id) => verdicts[id] !== "pass");

/** What a client lacks: also what its driver declares not to have. */
function lackedBy(result: SuiteResult): string[] {
  const failed = notPassed(result);
  return Object.keys(topics).filter(
    (topic) =>
      topics[topic]?.requirements.some((id) => failed.includes(id)) ||
      (topic === "retries" && !result.retries) ||
      (topic === "idempotency keys" && result.idempotencyKeys === "explicit"),
  );
}

/** How many requirements pass, and what the client lacks. */
function textOf(result: SuiteResult): string {
  const lacking = lackedBy(result);
  const all = Object.keys(result.verdicts).length;
  const passed = all - notPassed(result).length;
  return `${passed} of ${all} requirements pass${lacking.length === 0 ? "" : `; lacks ${lacking.join(", ")}`}`;
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

/** The clients that ran, each with its run and its row of a table. */
const ranClients = (clients: readonly Client[], runs: LastRuns): { client: Client; run: ClientVerdicts }[] =>
  clients.flatMap((client) => {
    const run = runs.clients[client.id];
    return run === undefined ? [] : [{ client, run }];
  });

/** What a generator runs on, by the first of its commands that is found. */
const generatorNeeds: readonly (readonly [command: RegExp, text: string])[] = [
  [/\bmvn /, "Java and Maven"],
  [/\bgo install\b/, "Go"],
  [/\bpip install\b/, "Python"],
  [/\bnpm install\b/, "Node.js"],
];

const toGenerate = ({ tool: { install = "" } }: Client): string =>
  generatorNeeds.find(([command]) => command.test(install))?.[1] ?? "";

/** The programs of `versions` as readers know them. */
const platforms: Readonly<Record<string, string>> = {
  cargo: "Rust",
  go: "Go",
  java: "Java",
  node: "Node.js",
  php: "PHP",
  python3: "Python",
  ruby: "Ruby",
};

const toUse = ({ tool: { versions = {} } }: Client): string =>
  Object.entries(versions)
    .map(([program, version]) => `${platforms[program]} ${version}`)
    .join(", ");

/** How many lines the code has that a reader adds, as its guide shows it. */
const addedLines = ({ folder, shown }: Client): number =>
  shown
    .filter((name) => !/example|\.(toml|ya?ml)$/i.test(name))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n")).length;

/** `OpenAPI Generator` of `Java, with OpenAPI Generator` */
const generatorOf = ({ folder }: Client): string =>
  readFileSync(join(folder, "README.md"), "utf8")
    .split("\n")[0]
    ?.replace(/.*, with /, "") ?? "";

const guideLink = (client: Client, text: string): string => `[${text}](../clients/${client.id}/README.md)`;

/** The lines of code that complete a client, or what it lacks with them. */
function withOurCode(client: Client, reliable: SuiteResult): string {
  const link = `../clients/${client.id}/README.md#add-retries-and-idempotency-keys`;
  const left = lackedBy(reliable).join(", ");
  return `[Add ${addedLines(client)} lines](${link})<br>${left === "" ? "Complete" : `Still missing: ${left}`}`;
}

/** The clients as a table for who chooses one, first those that are complete, and what the words in it mean. */
function overview(clients: readonly Client[], runs: LastRuns): string {
  const ran = ranClients(clients, runs);
  const others = ran.flatMap(({ client, run: { generated, reliable } }) =>
    reliable === undefined ? [] : [{ client, reliable, lacking: lackedBy(generated) }],
  );
  const isCommon = (topic: string): boolean => others.every(({ lacking }) => lacking.includes(topic));
  const completeRows = ran
    .filter(({ run }) => run.reliable === undefined)
    .map(({ client }) => [
      // A package with types is for both.
      `${client.language}, JavaScript`,
      `${guideLink(client, generatorOf(client))}, written for this API`,
      ...["nothing", toUse(client), "nothing", "Complete as it is"],
    ]);
  const otherRows = others.map(({ client, reliable, lacking }) => [
    client.language,
    guideLink(client, generatorOf(client)),
    toGenerate(client),
    toUse(client),
    lacking.filter((topic) => !isCommon(topic)).join(", ") || "nothing else",
    withOurCode(client, reliable),
  ]);
  const common = Object.keys(topics).filter(isCommon);
  const lacked = new Set(others.flatMap(({ lacking }) => lacking));
  const meanings = Object.entries(topics)
    .filter(([topic]) => lacked.has(topic))
    .map(([topic, { without }]) => `- Without **${topic}**, ${without}.`);
  return [
    `Every client that comes out of a generator lacks ${common.join(" and ")}: its guide has the code that adds them.\n`,
    ...[
      ["Language", "Guide", "To generate it, you need", "To use it", "Also missing", "With our code"],
      Array(6).fill("---"),
      ...completeRows,
      ...otherRows,
    ].map(row),
    "\nWhat a client can lack:\n",
    ...meanings,
  ].join("\n");
}

/** The results of the client suite as a table, and the requirements by topic. */
function results(clients: readonly Client[], runs: LastRuns): string {
  const rows = ranClients(clients, runs).map(({ client: { id, language, title }, run }) => [
    `[${language}: ${title}](${id}/README.md)`,
    textOf(run.generated),
    run.reliable === undefined ? "needs no code" : textOf(run.reliable),
  ]);
  const table = [["Client", "As generated", "With the code of its README"], Array(3).fill("---"), ...rows];
  const requirements = Object.entries(topics)
    .filter(([topic]) => table.flat().some((cell) => cell.includes(topic)))
    .map(([topic, { requirements }]) => `- ${topic}: ${requirements.join(", ")}`);
  return [
    ...table.map(row),
    "\nA client that lacks something fails at least one of these requirements, or does not have it at all:\n",
    ...requirements,
  ].join("\n");
}

/** The generators as a table, and the commands of each. */
function generatorsPart(runs: LastRuns): string {
  const ran = generators.filter(({ name }) => runs.generators[name] !== undefined);
  const table = [
    ["Generator", "Language", "Document"],
    ["---", "---", "---"],
    ...ran.map(({ name, version, language, document }) => [
      `${name} ${version}`,
      language,
      `\`${document}\``,
    ]),
  ];
  const commands = ran.flatMap((generator) => [
    `\n**${generator.name}** ${generator.note ?? ""}`.trimEnd(),
    ...["\n```sh", ...commandsOf(generator), "```"],
  ]);
  return `${[...table.map(row), ...commands].join("\n")}\n`;
}
