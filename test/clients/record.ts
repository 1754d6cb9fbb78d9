import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/common/paths.ts";
import { commandsOf } from "../generators/generator.ts";
import type { Client } from "./client.ts";
import type { ClientVerdicts } from "./run.ts";
import { guidePart } from "./table.ts";

/** The last successful run of each client: its commands then, and the verdicts. */
type Runs = Record<string, ClientVerdicts & { commands: string[] }>;

const file = join(import.meta.dirname, "last-runs.json");
const guideFile = join(root, "docs/clients.md");
const generatedPart = /(?<=<!-- npm run clients -->\n)[\s\S]*(?=<!-- end -->)/;

export const lastRuns = async (): Promise<Runs> => JSON.parse(await readFile(file, "utf8"));

/** The commands that a run depends on. */
export const recordedCommands = ({ tool, example, driver, reliable }: Client): string[] =>
  [...commandsOf(tool), example, driver, reliable].filter((command) => command !== undefined);

/** The guide, and how it must be after these runs. */
export async function guideAfter(
  clients: Client[],
  runs: Runs,
): Promise<{ current: string; expected: string }> {
  const current = await readFile(guideFile, "utf8");
  const rows = clients.flatMap((client) => {
    const verdicts = runs[client.id];
    return verdicts === undefined ? [] : [{ client, verdicts }];
  });
  return { current, expected: current.replace(generatedPart, () => `\n${guidePart(rows)}\n\n`) };
}

/** Records a run that passed, and writes the table of the guide. */
export async function record(clients: Client[], client: Client, verdicts: ClientVerdicts): Promise<void> {
  const runs = await lastRuns();
  runs[client.id] = { commands: recordedCommands(client), ...verdicts };
  const inOrder = clients.flatMap(({ id }) => (runs[id] === undefined ? [] : [[id, runs[id]]]));
  await writeFile(file, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
  await writeFile(guideFile, (await guideAfter(clients, runs)).expected);
}
