// `npm run deployments`: runs the whole contract suite against the sandbox on each store and on two instances.
// Ends with 1 if a check does not pass.
import { startPostgres } from "../postgres/server.ts";
import { deployments } from "./deployments.ts";
import { runSuite, type SuiteResult } from "./run.ts";

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

const database = await startPostgres();
for (const [name, start] of Object.entries(deployments)) {
  const deployment = await start(database.url);
  report(name, ...(await timed(() => runSuite(deployment.url))));
  await deployment.close();
}
await database.close();
process.exitCode = failed ? 1 : 0;
