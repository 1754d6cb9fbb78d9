// `npm run stores`: runs the whole contract suite against the sandbox on each store, on two instances, and in many workspaces at once.
// Ends with 1 if a check does not pass.
import { parseArgs } from "node:util";
import { startSandbox } from "../../sandbox/index.ts";
import { startEmbedded } from "../../sandbox/store/postgres/embedded.ts";
import { testedSandbox } from "../../scripts/contract/targets.ts";
import { deployments } from "./deployments.ts";
import { runSuite, type SuiteResult } from "./run.ts";
import { runSuites } from "./threads.ts";

const { values } = parseArgs({ options: { workspaces: { type: "string", default: "32" } } });

let failed = false;

function report(name: string, { requests, passed, others }: SuiteResult, seconds: number): void {
  console.log(
    `${name}: ${passed} test cases pass, ${others.length} do not; ${requests} requests in ${seconds.toFixed(0)} s, ${(requests / seconds).toFixed(0)} a second`,
  );
  for (const other of others.slice(0, 20)) console.log(`  ${other}`);
  failed ||= others.length > 0;
}

async function timed<Result>(work: () => Promise<Result>): Promise<[Result, seconds: number]> {
  const start = performance.now();
  const result = await work();
  return [result, (performance.now() - start) / 1_000];
}

const count = Number(values.workspaces);
if (!Number.isInteger(count) || count < 1)
  throw new Error(`--workspaces must be a whole number, at least 1 (got ${values.workspaces})`);

const database = await startEmbedded();
for (const [name, start] of Object.entries(deployments)) {
  const deployment = await start(database.url);
  report(name, ...(await timed(() => runSuite(deployment.url))));
  await deployment.close();
}

const sandbox = await startSandbox(testedSandbox());
const workspaces = await Promise.all(Array.from({ length: count }, () => startSandbox({ at: sandbox.url })));
const [results, seconds] = await timed(() => runSuites(workspaces.map(({ url }) => url)));
report(
  `${count} workspaces at once`,
  {
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    others: results.flatMap(({ others }) => others),
  },
  seconds,
);
await sandbox.close();
await database.close();
process.exitCode = failed ? 1 : 0;
