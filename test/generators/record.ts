import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/common/paths.ts";
import { generators } from "./all.ts";
import { commandsOf } from "./generator.ts";
import { guidePart, type Row } from "./report.ts";

/** The last successful run of each generator: its commands then, and the seconds of its steps. */
type Runs = Record<string, Pick<Row, "seconds"> & { commands: string[] }>;

const file = join(import.meta.dirname, "last-runs.json");
const guideFile = join(root, "docs/generating-a-client.md");
const generatedPart = /(?<=<!-- npm run generators -->\n)[\s\S]*(?=<!-- end -->)/;

export const lastRuns = async (): Promise<Runs> => JSON.parse(await readFile(file, "utf8"));

/** The guide, and how it must be after these runs. */
export async function guideAfter(runs: Runs): Promise<{ current: string; expected: string }> {
  const current = await readFile(guideFile, "utf8");
  const rows = generators.flatMap((generator): Row[] => {
    const run = runs[generator.name];
    return run === undefined ? [] : [{ ...generator, outcome: "passed", seconds: run.seconds }];
  });
  return { current, expected: current.replace(generatedPart, () => `\n${guidePart(rows)}\n`) };
}

/** Records a row that passed, and writes the part of the guide. */
export async function record(row: Row): Promise<void> {
  const runs = await lastRuns();
  runs[row.name] = { commands: commandsOf(row), seconds: row.seconds };
  const inOrder = generators.flatMap(({ name }) => (runs[name] === undefined ? [] : [[name, runs[name]]]));
  await writeFile(file, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
  await writeFile(guideFile, (await guideAfter(runs)).expected);
}
