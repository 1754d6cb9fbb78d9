// `npm run bench:conformance`: this suite beside other tools, on servers with one fault each and on correct ones.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UserError } from "../../../lib/user-error.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { isDone, type Results, readResults, scoreTable, type Tool, tools } from "./results.ts";
import { type ListedServer, sampled } from "./servers.ts";
import { prepare, runTools } from "./tools.ts";

const usage = `Usage: npm run bench:conformance -- [options]

Runs this suite, Schemathesis, redocly drift and redocly respect on mutants,
each a correct server with one fault, and on conforming variants. A mutant is
killed if a tool reports something that it does not report of the unchanged
sandbox. Schemathesis is installed with pip into a temporary folder.

  --every <number>          every so many of the mutants (default: 40)
  --every-variant <number>  every so many of the variants (default: 4)
  --offset <number>         where in both lists to begin (default: 0)
  --baselines <number>      runs on the unchanged sandbox (default: 3)
  --tools <a,b>             default: suite,schemathesis,drift,respect
  --seconds <number>        for each tool on each server (default: 10)
  --json <file>             keep the outcomes in a file; what it has already is
                            not run again
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
  help: { type: "boolean", default: false },
} as const;

/** @throws UserError if it is not a whole number of at least `least` */
function numberOf(name: string, text: string, least: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new UserError(`--${name} must be a whole number from ${least} on (got "${text}")`);
}

function toolsIn(text: string): Tool[] {
  const chosen = text.split(",");
  const unknown = chosen.find((name) => !tools.some((tool) => tool === name));
  if (unknown !== undefined) throw new UserError(`there is no tool "${unknown}"`);
  return tools.filter((tool) => chosen.includes(tool));
}

/** Runs the chosen tools on the sample. */
async function bench(): Promise<boolean> {
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(usage);
    return true;
  }
  const number = (name: "every" | "every-variant" | "offset" | "baselines" | "seconds", least = 1): number =>
    numberOf(name, values[name], least);
  const unchanged = Array.from(
    { length: number("baselines") },
    (_, index): ListedServer => ({
      ...{ kind: "unchanged", index, title: "the unchanged sandbox" },
    }),
  );
  const sample = {
    every: number("every"),
    everyVariant: number("every-variant"),
    offset: number("offset", 0),
  };
  const servers = [...unchanged, ...(await sampled(sample))];
  const results = await readResults(values.json ?? "", number("seconds"));
  await runAll(servers, toolsIn(values.tools), results, values.json);
  console.log(scoreTable(results));
  return true;
}

/** Runs tools on servers, and adds the outcomes to the results. @param file that they are kept in after each server */
async function runAll(
  servers: readonly ListedServer[],
  chosen: readonly Tool[],
  results: Results,
  file: string | undefined,
): Promise<void> {
  const began = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "bench-conformance-"));
  const { seconds, outcomes } = results;
  try {
    Object.assign(results.versions, await prepare({ tools: chosen, seconds, folder }));
    for (const [index, server] of servers.entries()) {
      const missing = chosen.filter((tool) => !isDone(outcomes, server, tool));
      outcomes.push(...(await runTools(server, { tools: missing, seconds, folder })));
      if (file !== undefined) await writeFile(file, `${JSON.stringify(results, null, 1)}\n`);
      console.error(`${index + 1} of ${servers.length}: ${server.kind} ${server.title}`.slice(0, 79));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.error(`${((performance.now() - began) / 1000).toFixed(0)} s`);
}

process.exitCode = await exitCodeOf(bench);
