import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { grepPattern } from "../../contract/selection.ts";
import { UserError } from "../../lib/user-error.ts";
import { exitCodeOf } from "../exit-code.ts";
import { allMutants } from "./all-mutants.ts";
import type { Depth, ServerOutcome } from "./mutate/outcome.ts";
import { killTable, report, tableByOrigin, tableOfSubsumed } from "./mutate/report.ts";
import { runInThreads } from "./mutate/threads.ts";

const usage = `Usage: npm run contract:mutate -- [options]

Runs the contract suite on mutants, each a correct sandbox with one fault, and
reports which requirements fail. The checks of the violated requirement run
first; the run of a mutant ends as soon as its requirement fails.

  --grep <pattern>  only mutants whose requirement and title match
  --full            run the whole suite on each mutant
  --model           run the profile model alone, until any requirement fails
  --table           count the mutants that the hand-written checks and the
                    model kill, by topic
  --subsumed        run all checks of the violated requirement, and list the
                    mutants that prove nothing more than another one of it:
                    every test case that kills the other one kills them too.
                    They can be removed; at least two per requirement stay.
  --json <file>     write the outcomes to a file
  --help            show this help`;

const options = {
  grep: { type: "string", default: "" },
  full: { type: "boolean", default: false },
  model: { type: "boolean", default: false },
  table: { type: "boolean", default: false },
  subsumed: { type: "boolean", default: false },
  json: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

/** Runs the suite on each mutant and reports which requirements fail. */
async function mutate(): Promise<boolean> {
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(usage);
    return true;
  }
  const given = (["full", "model", "table", "subsumed"] as const).filter((name) => values[name]);
  if (given.length > 1) throw new UserError(`--${given[0]} cannot be combined with --${given[1]}`);
  const depth = values.full
    ? "full"
    : values.model
      ? "model"
      : values.subsumed || values.table
        ? "matrix"
        : "own";
  const began = performance.now();
  const outcomes = await runAll(depth, values.grep);
  const ofModel = values.table ? await runAll("model", values.grep) : [];
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const { text, passed } = killTable(outcomes);
  const table = values.table && tableByOrigin(outcomes, ofModel);
  const listed = values.subsumed && tableOfSubsumed(outcomes);
  console.log(`${table || listed || text}\n${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify([...outcomes, ...ofModel], null, 2)}\n`);
  return passed || values.table;
}

async function runAll(depth: Depth, grep: string): Promise<ServerOutcome[]> {
  const pattern = grepPattern(grep);
  const indexes = (await allMutants()).flatMap(({ requirement, title }, index) =>
    pattern.test(`${requirement} ${title}`) ? [index] : [],
  );
  if (indexes.length === 0) throw new UserError(`no mutant matches ${grep}`);
  return runInThreads<ServerOutcome>({
    worker: new URL("mutate/worker.ts", import.meta.url),
    workerData: { depth },
    indexes,
    onOutcome: (outcome, done) => report(outcome, `${depth}: ${done} of ${indexes.length}`),
  });
}

process.exitCode = await exitCodeOf(mutate);
