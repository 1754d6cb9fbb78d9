import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { allMutants } from "./all-mutants.ts";
import { isKilled, type MutantOutcome } from "./mutate/killed.ts";
import { killTable } from "./mutate/report.ts";
import { runMutants } from "./mutate/threads.ts";

const usage = `Usage: npm run contract:mutate -- [options]

Puts one fault at a time before a correct sandbox, and says which check noticed.

  --grep <pattern>  only faults whose requirement and title match
  --quick           each until its own requirement has fallen
  --full            each with the whole suite (default: its checks and core)
  --json <file>     write what became of each
  --help            say this`;

/**
 * Puts one fault at a time before a correct sandbox and looks which requirements fall: the proof of the suite's strength.
 * `--grep` takes faults whose requirement and title it matches. Each is tried with the
 * checks of its requirement and the profile core; `--full` tries it with the whole suite, `--quick` only until its requirement has
 * fallen. `--json` writes what became of each to a file.
 */
async function mutate(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      grep: { type: "string" },
      full: { type: "boolean" },
      quick: { type: "boolean" },
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
  const indexes = faults.flatMap(({ requirement, title }, index) =>
    pattern.test(`${requirement} ${title}`) ? [index] : [],
  );
  if (indexes.length === 0) throw new Error(`No fault matches ${values.grep}.`);
  const outcomes = await runMutants({
    indexes,
    depth: values.full === true ? "full" : values.quick === true ? "quick" : "core",
    onOutcome: (outcome, done) => tell(outcome, `${done} of ${indexes.length}`),
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const { text, held } = killTable(outcomes);
  console.log(`${text}\n${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(outcomes, null, 2)}\n`);
  return held;
}

/** One line on a terminal, written over again and again. */
function tell(outcome: MutantOutcome, progress: string): void {
  if (!process.stderr.isTTY) return;
  const line = `${progress}  ${outcome.requirement} ${isKilled(outcome) ? "" : "NOT KILLED "}${outcome.title}`;
  process.stderr.write(`\r\u001b[K${line.slice(0, 79)}`);
}

process.exitCode = (await mutate()) ? 0 : 1;
