// `npm run bench:client`: what sending one mail costs with this client and with others, in one run. Ends with 1 when a target is missed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { installClient } from "../client/installed.ts";
import { startServer } from "./child.ts";
import { type Contender, contenders, type FigureName, importing, loop, once } from "./client/contenders.ts";
import { bundledBytes, compileTo, installed, instantiations, lend } from "./client/programs.ts";
import { type Place, printedBeside, timesBeside } from "./client/times.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, calls: { type: "string", default: "4000" } },
});
const rounds = Number(values.rounds);

/** What was measured of one contender. */
type Figures = Record<FigureName, number>;

/** The programs of a kind, one file for each contender. */
const filesOf = (kind: string): string[] => contenders.map((_, index) => `${kind}-${index}.mjs`);

async function measureAll(place: Place): Promise<Figures[]> {
  const { folder } = place;
  await writeFile(join(folder, "empty.mjs"), "");
  for (const [index, contender] of contenders.entries()) {
    await compileTo(`import-${index}.mjs`, importing(contender), folder);
    await compileTo(`once-${index}.mjs`, once(contender), folder);
    await compileTo(`loop-${index}.mjs`, loop(contender), folder);
  }
  // Starts that do nothing else differ by few milliseconds, so that many are needed to tell one from another.
  const many = { ...place, rounds: 5 * rounds };
  const [, ...imports] = await timesBeside(["empty.mjs", ...filesOf("import")], many);
  const [, ...mails] = await timesBeside(["empty.mjs", ...filesOf("once")], place);
  const cpu = await printedBeside(filesOf("loop"), { ...place, rounds: Math.ceil(rounds / 2) });
  const figures: Figures[] = [];
  for (const [index, contender] of contenders.entries())
    figures.push({
      bytes: await bundledBytes(contender, folder),
      ...(await installed(contender, folder)),
      import: imports[index] ?? Number.NaN,
      firstMail: mails[index] ?? Number.NaN,
      cpu: cpu[index] ?? Number.NaN,
      types: await instantiations(contender, folder),
    });
  return figures;
}

const columns: Record<FigureName, { head: string; digits: number }> = {
  bytes: { head: "gzip\nbytes", digits: 0 },
  packages: { head: "pack-\nages", digits: 0 },
  kibibytes: { head: "install\nKiB", digits: 0 },
  import: { head: "import", digits: 2 },
  firstMail: { head: "first\nmail", digits: 2 },
  cpu: { head: "CPU\na call", digits: 2 },
  types: { head: "type\ninst.", digits: 0 },
};
const names = Object.keys(columns) as FigureName[];

/** A number, with its target where it has one: `2041 <= 2048`. */
function cell(name: FigureName, value: number, { targets }: Contender): string {
  const text = value.toFixed(columns[name].digits);
  const most = targets[name];
  if (most === undefined) return text;
  return `${text}\n${value <= most ? "<=" : "MISSED"} ${most}`;
}

function print(figures: Figures[]): void {
  const drawn = new Table({
    head: ["", ...names.map((name) => columns[name].head)],
    style: { head: [], border: [] },
    colWidths: [16, 9, 7, 9, 8, 8, 8, 7],
    wordWrap: true,
  });
  for (const [index, contender] of contenders.entries())
    drawn.push([
      contender.name,
      ...names.map((name) => cell(name, figures[index]?.[name] ?? Number.NaN, contender)),
    ]);
  console.log(drawn.toString());
  console.log("import, first mail: of an empty start of Node; CPU a call: of raw fetch.");
}

const project = await installClient();
await lend(join(import.meta.dirname, "client/others/node_modules"), project.folder);
const server = await startServer(new URL("./client/server.mjs", import.meta.url).pathname);
try {
  const env = { BASE_URL: server.url, KEY: "bench_key", COUNT: values.calls };
  const figures = await measureAll({ folder: project.folder, env, rounds });
  print(figures);
  const missed = contenders.some(({ targets }, index) =>
    names.some(
      (name) => (figures[index]?.[name] ?? Number.NaN) > (targets[name] ?? Number.POSITIVE_INFINITY),
    ),
  );
  process.exitCode = missed ? 1 : 0;
} finally {
  await server.stop();
  await project.remove();
}
