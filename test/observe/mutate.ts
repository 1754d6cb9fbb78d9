import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { grepPattern } from "../../contract/selection.ts";
import { plainTable } from "../../lib/table.ts";
import { UserError } from "../../lib/user-error.ts";
import { wholeNumber } from "../../scripts/common/program.ts";
import { exitCodeOf } from "../exit-code.ts";
import { allMutants } from "../mutants/all-mutants.ts";
import { runInThreads } from "../mutants/mutate/threads.ts";
import { type Kill, type Workload, ways } from "./kills.ts";

const usage = `Usage: npm run observe:mutate -- [options]

Runs a workload against mutants, each a correct sandbox with one fault, and
counts those that an observer of the traffic finds: with the configuration and
the knowledge that it sees all traffic, with the configuration, with nothing.

  --workload <name>  suite (default), or plain: 500 random sequences, and the
                     client suite with the project's own client
  --grep <pattern>   only mutants whose requirement and title match
  --every <number>   only one of this many mutants; default: 1
  --offset <number>  how many to pass over first; default: 0
  --json <file>      write the outcomes to a file
  --help             show this help`;

/** The share of mutants that an observer with all knowledge must find, in percent. */
const targets: Record<Workload, number> = { suite: 85, plain: 50 };

async function mutate(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      workload: { type: "string", default: "suite" },
      grep: { type: "string", default: "" },
      every: { type: "string", default: "1" },
      offset: { type: "string", default: "0" },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return true;
  }
  const workload = workloadNamed(values.workload);
  const every = wholeNumber("--every")(values.every);
  const offset = wholeNumber("--offset", { least: 0 })(values.offset);
  const pattern = grepPattern(values.grep);
  const indexes = (await allMutants())
    .flatMap(({ requirement, title }, index) => (pattern.test(`${requirement} ${title}`) ? [index] : []))
    .filter((_, position) => position % every === offset);
  if (indexes.length === 0)
    throw new UserError("no mutant matches --grep, --every and --offset", {
      hint: "--offset must be below --every.",
    });
  const began = performance.now();
  const kills = await runInThreads<Kill>({
    worker: new URL("worker.ts", import.meta.url),
    workerData: { workload },
    indexes,
    onOutcome: (_, done) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${done} of ${indexes.length}`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(kills, null, 2)}\n`);
  console.log(tableOf(kills));
  const share = (100 * kills.filter(({ failed }) => failed["all traffic"].length > 0).length) / kills.length;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${kills.length} mutants, ${share.toFixed(1)} % found, ${seconds} s`);
  return share >= targets[workload];
}

function workloadNamed(name: string): Workload {
  if (name === "suite" || name === "plain") return name;
  throw new UserError(`--workload must be suite or plain (got "${name}")`);
}

/** The mutants found by topic, and by what the observer knew. */
function tableOf(kills: readonly Kill[]): string {
  const groups = Map.groupBy(kills, ({ requirement }) => requirement.replace(/-.*/, ""));
  const row = (name: string, of: readonly Kill[]): string[] => [
    name,
    String(of.length),
    ...ways.map(
      (way) =>
        `${((100 * of.filter(({ failed }) => failed[way].length > 0).length) / of.length).toFixed(1)} %`,
    ),
  ];
  return plainTable({
    head: ["Topic", "Mutants", ...ways],
    widths: [12, 9, 14, 16, 12],
    align: ["left", "right", "right", "right", "right"],
    rows: [...[...groups].sort().map(([topic, of]) => row(topic, of)), row("all", kills)],
  });
}

process.exitCode = await exitCodeOf(mutate);
