import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import pLimit from "p-limit";
import type { ClientTester } from "../../contract/client-suite/engine/client-tester.ts";
import { clientCases, runClient } from "../../contract/client-suite/run-client.ts";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import type { PlannedCase } from "../../contract/plan.ts";
import { UserError } from "../../lib/user-error.ts";
import { startSandboxService } from "../../scripts/client-suite/run-command.ts";
import { exitCodeOf } from "../exit-code.ts";
import {
  errorsIn,
  failedRequirements,
  isKilled,
  killersIn,
  type MutantOutcome,
} from "../mutants/mutate/killed.ts";
import { killTable, report, tableByRequirement, tableOfSubsumed } from "../mutants/mutate/report.ts";
import { clientMutants } from "./all-mutants.ts";
import type { ClientMutant } from "./client-mutant.ts";
import { inProcessDriver } from "./in-process/driver.ts";

const usage = `Usage: npm run client:mutate -- [options]

Runs the client suite on mutants, each a correct client with one fault, and
reports which requirements fail. The checks of the violated requirement run
first; the run of a mutant ends as soon as its requirement fails.

  --grep <pattern>  only mutants whose requirement and title match
  --full            run the whole suite on each mutant
  --table           count the mutants by requirement
  --subsumed        run all checks of the violated requirement, and list the
                    mutants that prove nothing more than another one of it:
                    every test case that kills the other one kills them too.
                    (The first time, 195 of 548 stayed.)
  --json <file>     write the outcomes to a file
  --help            show this help`;

const options = {
  grep: { type: "string", default: "" },
  full: { type: "boolean", default: false },
  table: { type: "boolean", default: false },
  subsumed: { type: "boolean", default: false },
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
  const outcomes = await runAll(
    new RegExp(values.grep),
    values.full ? "full" : values.subsumed ? "matrix" : "own",
  );
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const { text, passed } = killTable(outcomes);
  const table = values.table && tableByRequirement(outcomes);
  const listed = values.subsumed && tableOfSubsumed(outcomes);
  console.log(`${table || listed || text}\n${((performance.now() - began) / 1000).toFixed(0)} s`);
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

/**
 * How much of the suite runs on a mutant. `own`: the checks of its requirement, then the others, until its requirement fails.
 * `matrix`: the same, but its own checks run to their end. `full`: all of them.
 */
type Depth = "own" | "matrix" | "full";

const all = clientCases("full");

/** Runs the suite on a mutant. */
async function runMutant({ requirement, title, create }: ClientMutant, depth: Depth): Promise<MutantOutcome> {
  const began = performance.now();
  let isKilled = false;
  const outcomes: CaseOutcome[] = [];
  for (const cases of depth === "full" ? [all] : ownFirst(requirement)) {
    if (isKilled || cases.length === 0) continue;
    const run = await runClient({
      cases,
      startDriver: inProcessDriver(create),
      startService: startSandboxService,
      onOutcome: (outcome) => {
        if (depth !== "full" && failedRequirements([outcome]).has(requirement)) isKilled = true;
        return depth === "matrix" || !isKilled;
      },
    });
    outcomes.push(...run.outcomes);
  }
  return {
    requirement,
    title,
    killers: killersIn(outcomes),
    errors: errorsIn(outcomes),
    milliseconds: Math.round(performance.now() - began),
  };
}

const isOf =
  (id: string) =>
  ({ check }: PlannedCase<ClientTester>): boolean =>
    check.ids.includes(id);

const waits = ({ check }: PlannedCase<ClientTester>): boolean => check.waits;

/** The cases of a requirement, those that measure times, and the others. */
function ownFirst(id: string): PlannedCase<ClientTester>[][] {
  const others = all.filter((planned) => !isOf(id)(planned));
  return [all.filter(isOf(id)), others.filter(waits), others.filter((planned) => !waits(planned))];
}

/** Whether the checks of the violated requirement measure times. */
const isTimed = ({ requirement }: ClientMutant): boolean => all.filter(isOf(requirement)).some(waits);

process.exitCode = await exitCodeOf(mutate);
