// `npm run bench:conformance`: this suite beside other tools, on servers with one fault each and on correct ones.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitCodeOf } from "../../exit-code.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { isDone, type Results, readResults, scoreTable } from "./results.ts";
import { installSchemathesis } from "./schemathesis.ts";
import { type ListedServer, sampled } from "./servers.ts";
import { runTools, versionsOf } from "./tools.ts";

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

process.exitCode = await exitCodeOf(bench);
