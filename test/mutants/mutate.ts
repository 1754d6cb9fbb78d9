import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { UserError } from "../../lib/user-error.ts";
import { grepPattern } from "../../scripts/contract/option-values.ts";
import { exitCodeOf } from "../exit-code.ts";
import { allMutants } from "./all-mutants.ts";
import { tableByOrigin } from "./mutate/by-origin.ts";
import { isKilled } from "./mutate/killed.ts";
import type { Depth, ServerOutcome } from "./mutate/outcome.ts";
import { killTable } from "./mutate/report.ts";
import { runMutants } from "./mutate/threads.ts";

const usage = `Usage: npm run contract:mutate -- [options]

Runs the contract suite on mutants, each a correct sandbox with one fault, and
reports which requirements fail. The checks of the violated requirement run
first; the run of a mutant ends as soon as its requirement fails.

  --grep <pattern>  only mutants whose requirement and title match
  --one-path        only mutants that break a rule on one of its paths; default:
                    only the others, with --table all
  --full            run the whole suite on each mutant
  --model           run the profile model alone, until any requirement fails
  --table           count the mutants that the hand-written checks and the
                    model kill, by topic
  --json <file>     write the outcomes to a file
  --help            show this help`;

const options = {
  grep: { type: "string", default: "" },
  "one-path": { type: "boolean", default: false },
  full: { type: "boolean", default: false },
  model: { type: "boolean", default: false },
  table: { type: "boolean", default: false },
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
  const given = (["full", "model", "table"] as const).filter((name) => values[name]);
  if (given.length > 1) throw new UserError(`--${given[0]} cannot be combined with --${given[1]}`);
  const began = performance.now();
  const depth = (["full", "model"] as const).find((name) => values[name]) ?? "own";
  const outcomes = await runAll(values.table ? "own" : depth, values);
  const ofModel = values.table ? await runAll("model", values) : [];
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const { text, passed } = values.table
    ? { text: tableByOrigin(outcomes, ofModel), passed: true }
    : killTable(outcomes);
  console.log(`${text}\n${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify([...outcomes, ...ofModel], null, 2)}\n`);
  return passed;
}

interface Chosen {
  grep: string;
  "one-path": boolean;
  table: boolean;
}

async function runAll(depth: Depth, { grep, "one-path": onePath, table }: Chosen): Promise<ServerOutcome[]> {
  const pattern = grepPattern(grep);
  const isChosen = (isOfOnePath: boolean): boolean => isOfOnePath === onePath || (table && isOfOnePath);
  const indexes = (await allMutants()).flatMap(({ requirement, title, isOfOnePath }, index) =>
    isChosen(isOfOnePath) && pattern.test(`${requirement} ${title}`) ? [index] : [],
  );
  if (indexes.length === 0) throw new UserError(`no mutant matches ${grep}`);
  return runMutants({
    indexes,
    depth,
    onOutcome: (outcome, done) => tell(outcome, `${depth}: ${done} of ${indexes.length}`),
  });
}

/** A progress line on a terminal. */
function tell(outcome: ServerOutcome, progress: string): void {
  if (!process.stderr.isTTY) return;
  const line = `${progress}  ${outcome.requirement} ${isKilled(outcome) ? "" : "SURVIVED "}${outcome.title}`;
  process.stderr.write(`\r\u001b[K${line.slice(0, 79)}`);
}

process.exitCode = await exitCodeOf(mutate);
