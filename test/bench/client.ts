// `npm run bench:client`: the cost of sending one email with this client and with others. Exit code 1 if a target is missed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { installClient } from "../client/installed.ts";
import { startServer } from "./child.ts";
import { type Contender, contenders, type FigureName, importing, loop, once } from "./client/contenders.ts";
import {
  bundledBytes,
  compileTo,
  installed,
  instantiations,
  linkPackages,
  type RunOptions,
  relativeOutputs,
  relativeTimes,
} from "./client/programs.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, calls: { type: "string", default: "4000" } },
});
const rounds = Number(values.rounds);

/** The figures of one contender. */
type Figures = Record<FigureName, number>;

/** The programs of a kind, one for each contender. */
const filesOf = (kind: string): string[] => contenders.map((_, index) => `${kind}-${index}.mjs`);

async function measureAll(options: RunOptions): Promise<Figures[]> {
  const { folder } = options;
  await writeFile(join(folder, "empty.mjs"), "");
  for (const [index, contender] of contenders.entries()) {
    await compileTo(`import-${index}.mjs`, importing(contender), folder);
    await compileTo(`once-${index}.mjs`, once(contender), folder);
    await compileTo(`loop-${index}.mjs`, loop(contender), folder);
  }
  // Imports differ by few milliseconds, so that they need many rounds.
  const many = { ...options, rounds: 5 * rounds };
  const [, ...imports] = await relativeTimes(["empty.mjs", ...filesOf("import")], many);
  const [, ...mails] = await relativeTimes(["empty.mjs", ...filesOf("once")], options);
  const cpu = await relativeOutputs(filesOf("loop"), { ...options, rounds: Math.ceil(rounds / 2) });
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
  firstMail: { head: "first\nemail", digits: 2 },
  cpu: { head: "CPU per\nrequest", digits: 2 },
  types: { head: "type\ninst.", digits: 0 },
};
const names = Object.keys(columns) as FigureName[];

/** A number, with its target if it has one: `2041 <= 2048`. */
function cell(name: FigureName, value: number, { targets = {} }: Contender): string {
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
  console.log(
    "import, first email: relative to an empty start of Node; CPU per request: relative to raw fetch.",
  );
}

const project = await installClient();
await linkPackages(join(import.meta.dirname, "client/others/node_modules"), project.folder);
const server = await startServer(new URL("./client/server.mjs", import.meta.url).pathname);
try {
  const env = { BASE_URL: server.url, KEY: "bench_key", COUNT: values.calls };
  const figures = await measureAll({ folder: project.folder, env, rounds });
  print(figures);
  const missed = contenders.some(({ targets = {} }, index) =>
    names.some(
      (name) => (figures[index]?.[name] ?? Number.NaN) > (targets[name] ?? Number.POSITIVE_INFINITY),
    ),
  );
  process.exitCode = missed ? 1 : 0;
} finally {
  await server.stop();
  await project.remove();
}
