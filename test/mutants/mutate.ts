import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { allMutants, onePathMutants } from "./all-mutants.ts";
import { isKilled, type MutantOutcome } from "./mutate/killed.ts";
import { killTable } from "./mutate/report.ts";
import { runMutants } from "./mutate/threads.ts";

const usage = `Usage: npm run contract:mutate -- [options]

Runs the contract suite on mutants, each a correct sandbox with one fault, and
reports which requirements fail.

  --grep <pattern>  only mutants whose requirement and title match
  --one-path        only mutants that break a rule on one of its paths; default:
                    only the others
  --quick           stop each mutant as soon as its requirement fails
  --full            run the whole suite on each mutant (default: the checks of
                    its requirement and the profile core)
  --model           run the profile model alone on each mutant, and stop at the
                    first failure
  --json <file>     write the outcomes to a file
  --help            show this help`;

/** Runs the suite on each mutant and reports which requirements fail. */
async function mutate(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      grep: { type: "string" },
      "one-path": { type: "boolean" },
      full: { type: "boolean" },
      quick: { type: "boolean" },
      model: { type: "boolean" },
      json: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) {
    console.log(usage);
    return true;
  }
  const began = performance.now();
  const pattern = new RegExp(values.grep ?? "");
  const faults = await allMutants();
  const ofOnePath = new Set(await onePathMutants());
  const indexes = faults.flatMap((fault, index) =>
    ofOnePath.has(fault) === (values["one-path"] ?? false) &&
    pattern.test(`${fault.requirement} ${fault.title}`)
      ? [index]
      : [],
  );
  if (indexes.length === 0) throw new Error(`No mutant matches ${values.grep}.`);
  const outcomes = await runMutants({
    indexes,
    depth: (["full", "quick", "model"] as const).find((depth) => values[depth]) ?? "core",
    onOutcome: (outcome, done) => tell(outcome, `${done} of ${indexes.length}`),
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const { text, passed } = killTable(outcomes);
  console.log(`${text}\n${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(outcomes, null, 2)}\n`);
  return passed;
}

/** A progress line on a terminal. */
function tell(outcome: MutantOutcome, progress: string): void {
  if (!process.stderr.isTTY) return;
  const line = `${progress}  ${outcome.requirement} ${isKilled(outcome) ? "" : "SURVIVED "}${outcome.title}`;
  process.stderr.write(`\r\u001b[K${line.slice(0, 79)}`);
}

process.exitCode = (await mutate()) ? 0 : 1;
