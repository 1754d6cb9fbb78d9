import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UserError } from "../../../lib/user-error.ts";
import { wholeNumber } from "../../../scripts/common/program.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { isDone, type Results, readResults, scoreTable, type Tool, tools } from "./results.ts";
import { type ListedServer, type Sample, sampled } from "./servers.ts";
import { installSchemathesis, runTools, versionsOf } from "./tools.ts";

// `npm run bench:conformance`: this suite beside other tools, on servers with one fault each and on correct ones.

/** Runs the chosen tools on the unchanged sandbox and on the sample. */
async function bench(): Promise<boolean> {
  const options = readOptions();
  if (options === undefined) {
    console.log(usage);
    return true;
  }
  const unchanged = Array.from(
    { length: options.baselines },
    (_, index): ListedServer => ({
      ...{ kind: "unchanged", index, title: "the unchanged sandbox" },
    }),
  );
  const results = await readResults(options.file, options.seconds);
  await runAll([...unchanged, ...(await sampled(options))], options, results);
  console.log(scoreTable(results));
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
each a correct server with one fault, and on conforming variants. A mutant is
killed if a tool reports something that it does not report of the unchanged
sandbox. Schemathesis is installed with pip into a temporary folder, unless it
is on the path.

  --every <number>          every so many of the mutants (default: 40)
  --every-variant <number>  every so many of the variants (default: 4)
  --offset <number>         where in both lists to begin (default: 0)
  --baselines <number>      runs on the unchanged sandbox (default: 3)
  --tools <a,b>             default: suite,schemathesis,drift,respect
  --seconds <number>        for each tool on each server (default: 10)
  --json <file>             keep the outcomes in a file; what it has already is
                            not run again
  --for <seconds>           begin with no further server after this time
  --help                    show this help

killed: of the mutants. unchanged: different findings on the unchanged sandbox.
variants: those with further findings, all of which are false. requests and
seconds: for each server.`;

const options = {
  every: { type: "string", default: "40" },
  "every-variant": { type: "string", default: "4" },
  offset: { type: "string", default: "0" },
  baselines: { type: "string", default: "3" },
  tools: { type: "string", default: tools.join(",") },
  seconds: { type: "string", default: "10" },
  json: { type: "string" },
  for: { type: "string", default: "100000" },
  help: { type: "boolean", default: false },
} as const;

function toolsIn(text: string): Tool[] {
  const chosen = text.split(",");
  const unknown = chosen.find((name) => !tools.some((tool) => tool === name));
  if (unknown !== undefined) throw new UserError(`there is no tool "${unknown}"`);
  return tools.filter((tool) => chosen.includes(tool));
}

interface Options extends Sample {
  /** Runs on the unchanged sandbox. */
  baselines: number;
  tools: Tool[];
  /** For each tool on each server. */
  seconds: number;
  /** Where the outcomes are kept after each server. */
  file: string | undefined;
  /** Seconds after which no further server begins. */
  most: number;
}

/** The options of the command line; undefined if it asks for help. */
function readOptions(): Options | undefined {
  const { values } = parseArgs({ options });
  if (values.help) return undefined;
  const number = (name: Numeric, least = 1): number => wholeNumber(`--${name}`, { least })(values[name]);
  return {
    ...{ every: number("every"), everyVariant: number("every-variant"), offset: number("offset", 0) },
    ...{ baselines: number("baselines"), tools: toolsIn(values.tools), seconds: number("seconds") },
    ...{ file: values.json, most: number("for") },
  };
}

type Numeric = Exclude<keyof typeof options, "help" | "json" | "tools">;

process.exitCode = await exitCodeOf(bench);
