import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { UserError } from "../../../lib/user-error.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { isKilled, type MutantOutcome } from "../../mutants/mutate/killed.ts";
import { killTable, tableByRequirement } from "../../mutants/mutate/report.ts";
import { clientMutants } from "../all-mutants.ts";
import type { ClientMutant } from "../client-mutant.ts";
import { type Depth, isTimed, runMutant } from "./run-mutant.ts";

const usage = `Usage: npm run client:mutate -- [options]

Runs the client suite on mutants, each a correct client with one fault, and
reports which requirements fail. The checks of the violated requirement run
first; the run of a mutant ends as soon as its requirement fails.

  --grep <pattern>  only mutants whose requirement and title match
  --full            run the whole suite on each mutant
  --table           count the mutants by requirement
  --json <file>     write the outcomes to a file
  --help            show this help`;

const options = {
  grep: { type: "string", default: "" },
  full: { type: "boolean", default: false },
  table: { type: "boolean", default: false },
  json: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

/** Mutants that run at the same time: most of their time they wait. */
const atOnce = 12;

/** Runs the suite on each mutant and reports which requirements fail. */
async function mutate(): Promise<boolean> {
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(usage);
    return true;
  }
  const began = performance.now();
  const outcomes = await runAll(new RegExp(values.grep), values.full ? "full" : "own");
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const { text, passed } = killTable(outcomes);
  const shown = values.table ? tableByRequirement(outcomes) : text;
  console.log(`${shown}\n${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(outcomes, null, 2)}\n`);
  return passed;
}

async function runAll(pattern: RegExp, depth: Depth): Promise<MutantOutcome[]> {
  const chosen = clientMutants.filter(({ requirement, title }) => pattern.test(`${requirement} ${title}`));
  if (chosen.length === 0) throw new UserError(`no mutant matches --grep ${JSON.stringify(pattern.source)}`);
  // Those that measure times run together: they leave the processor idle.
  const ordered = [...chosen.filter(isTimed), ...chosen.filter((mutant) => !isTimed(mutant))];
  let done = 0;
  const outcomes = await pLimit(atOnce).map(ordered, async (mutant) => {
    const outcome = await runMutant(mutant, depth);
    done += 1;
    report(outcome, `${done} of ${chosen.length}`);
    return outcome;
  });
  // A busy processor lengthens pauses, and so hides that they are too short.
  return pLimit(2).map(outcomes, (outcome, index) =>
    isKilled(outcome) ? outcome : runMutant(ordered[index] as ClientMutant, depth),
  );
}

/** A progress line on a terminal. */
function report(outcome: MutantOutcome, progress: string): void {
  if (!process.stderr.isTTY) return;
  const line = `${progress}  ${outcome.requirement} ${isKilled(outcome) ? "" : "SURVIVED "}${outcome.title}`;
  process.stderr.write(`\r\u001b[K${line.slice(0, 79)}`);
}

process.exitCode = await exitCodeOf(mutate);
