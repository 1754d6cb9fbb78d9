import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UserError } from "../../../lib/user-error.ts";
import { wholeNumber } from "../../../scripts/common/program.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { writeGuide } from "./guide.ts";
import { isDone, type Results, readResults, scoreTables, type Tool, tools } from "./results.ts";
import { type ListedServer, type Sample, sampled } from "./servers.ts";
import { installSchemathesis, runTools, versionsOf } from "./tools.ts";

// `npm run bench:conformance`: this suite beside other tools, on servers with one fault each and on correct ones.

/** Runs the chosen tools on the sample. */
async function bench(): Promise<boolean> {
  const options = readOptions();
  if (options === undefined) {
    console.log(usage);
    return true;
  }
  const results = await readResults(options.file, options);
  await runAll(await sampled(options), options, results);
  console.log(scoreTables(results));
  if (options.record) await writeGuide(results);
  return true;
}

/** Runs tools on servers, and adds the outcomes to the results. */
async function runAll(
  servers: readonly ListedServer[],
  { tools: chosen, most, file }: Options,
  results: Results,
): Promise<void> {
  const began = performance.now();
  const since = (): number => (performance.now() - began) / 1000;
  const folder = await mkdtemp(join(tmpdir(), "bench-conformance-"));
  const { seconds, outcomes } = results;
  try {
    Object.assign(results.versions, await versionsOf(chosen));
    const schemathesis = chosen.includes("schemathesis") ? await installSchemathesis(folder) : "";
    for (const [index, server] of servers.entries()) {
      const tools = chosen.filter((tool) => !isDone(outcomes, server, tool));
      if (tools.length === 0) continue;
      if (since() > most) break;
      outcomes.push(...(await runTools(server, { tools, seconds, folder, schemathesis })));
      if (file !== undefined) await writeFile(file, `${JSON.stringify(results, null, 1)}\n`);
      console.error(`${index + 1} of ${servers.length}: ${server.kind} ${server.title}`.slice(0, 79));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.error(`${since().toFixed(0)} s`);
}

const usage = `Usage: npm run bench:conformance -- [options]

Runs this suite, Schemathesis, redocly drift and redocly respect on mutants,
each a correct server with one fault, on independent faults, by authors who had
not seen the checks of the suite, and on conforming variants. A fault is killed
if a tool reports something that it does not report of the unchanged sandbox.
Schemathesis is installed with pip into a temporary folder, unless it is on the
path.

  --seed <number>         draws the sample (default: 41)
  --mutants <number>      own mutants in the sample (default: 10)
  --independent <number>  independent faults in the sample (default: 20)
  --variants <number>     conforming variants in the sample (default: 5)
  --baselines <number>    runs on the unchanged sandbox (default: 3)
  --tools <a,b>           default: suite,schemathesis,drift,respect
  --seconds <number>      for each tool on each server (default: 10)
  --json <file>           keep the outcomes in a file; what it has already is
                          not run again
  --for <seconds>         begin with no further server after this time
  --record                write the tables to docs/comparison-of-tests.md
  --help                  show this help

made up: by their authors; reported: modelled on public reports. unchanged:
different findings on the unchanged sandbox. variants: those with further
findings, all of which are false. requests and seconds: for each server.`;

const options = {
  seed: { type: "string", default: "41" },
  mutants: { type: "string", default: "10" },
  independent: { type: "string", default: "20" },
  variants: { type: "string", default: "5" },
  baselines: { type: "string", default: "3" },
  tools: { type: "string", default: tools.join(",") },
  seconds: { type: "string", default: "10" },
  json: { type: "string" },
  for: { type: "string", default: "100000" },
  record: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

function toolsIn(text: string): Tool[] {
  const chosen = text.split(",");
  const unknown = chosen.find((name) => !tools.some((tool) => tool === name));
  if (unknown !== undefined) throw new UserError(`there is no tool "${unknown}"`);
  return tools.filter((tool) => chosen.includes(tool));
}

interface Options extends Sample {
  tools: Tool[];
  /** For each tool on each server. */
  seconds: number;
  /** Where the outcomes are kept after each server. */
  file: string | undefined;
  /** Seconds after which no further server begins. */
  most: number;
  /** Whether the guide gets the tables. */
  record: boolean;
}

/** The options of the command line; undefined if it asks for help. */
function readOptions(): Options | undefined {
  const { values } = parseArgs({ options });
  if (values.help) return undefined;
  const number = (name: Numeric, least = 1): number => wholeNumber(`--${name}`, { least })(values[name]);
  return {
    ...{ seed: number("seed", 0), mutants: number("mutants", 0), variants: number("variants", 0) },
    ...{
      independent: number("independent", 0),
      baselines: number("baselines"),
      tools: toolsIn(values.tools),
    },
    ...{ seconds: number("seconds"), file: values.json, most: number("for"), record: values.record },
  };
}

type Numeric = Exclude<keyof typeof options, "help" | "json" | "tools" | "record">;

process.exitCode = await exitCodeOf(bench);
