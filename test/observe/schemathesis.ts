// `npm run observe:schemathesis -- [seconds]`: what Schemathesis sends to two correct servers must show no failure. Its requests differ from run to run.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Observer } from "../../contract/observe/observer.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { startProxy } from "../../scripts/observe/proxy.ts";
import { Traffic } from "../../scripts/observe/traffic.ts";
import { installSchemathesis, runSchemathesis } from "../bench/conformance/tools.ts";
import { startSecondServer } from "../second-server/second-server.ts";
import { failuresOf } from "./samples.ts";

const seconds = Number(process.argv[2] ?? 60);
const requestsPerMinute = 1_000_000;
const folder = await mkdtemp(join(tmpdir(), "schemathesis-"));

/** Runs it on a server through the proxy. @returns whether the traffic shows no failure */
async function run(name: string, start: () => Promise<{ url: string; close(): Promise<void> }>) {
  const { url, close } = await start();
  const observer = new Observer();
  const traffic = new Traffic(observer);
  const onExchange = traffic.add.bind(traffic);
  const proxy = await startProxy({ upstream: url, port: 0, host: "127.0.0.1", onExchange });
  await runSchemathesis(await installSchemathesis(folder), proxy.url, seconds, folder);
  await proxy.close();
  await close();
  observer.end();
  const failures = failuresOf(observer);
  console.log(`${name}: ${observer.counts.exchanges} exchanges, ${failures.length} failures`);
  for (const failure of failures) console.log(`- ${failure}`);
  return failures.length === 0;
}

try {
  const isRight = [
    await run("the sandbox", () => startSandbox({ requestsPerMinute })),
    await run("the second server", () => startSecondServer({ requestsPerMinute })),
  ].every(Boolean);
  process.exitCode = isRight ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}
