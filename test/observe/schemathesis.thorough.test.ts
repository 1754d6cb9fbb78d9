import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../sandbox/index.ts";
import { startProxy } from "../../scripts/observe/proxy.ts";
import type { TrafficExchange } from "../../scripts/observe/traffic.ts";
import { installSchemathesis, runSchemathesis } from "../bench/conformance/schemathesis.ts";
import { unusablePrograms } from "../generators/programs.ts";
import { startSecondServer } from "../second-server/second-server.ts";
import { failuresOf, observed, withConfiguration } from "./samples.ts";

const reason = unusablePrograms({ needs: ["python3"] })?.detail;
if (reason !== undefined) console.log(`Schemathesis is not run: ${reason}`);

/** In seconds. */
const long = 20;

test.skipIf(reason !== undefined).each([
  ["the sandbox", () => startSandbox({ requestsPerMinute: 1_000_000 })],
  ["the second server", () => startSecondServer({ requestsPerMinute: 1_000_000 })],
])("what Schemathesis sends to %s shows no failure", { timeout: 400_000 }, async (_, start) => {
  const folder = await mkdtemp(join(tmpdir(), "schemathesis-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { url, close } = await start();
  const traffic: TrafficExchange[] = [];
  const onExchange = (exchange: TrafficExchange): void => void traffic.push(exchange);
  const proxy = await startProxy({ upstream: url, port: 0, host: "127.0.0.1", onExchange });
  try {
    await runSchemathesis(await installSchemathesis(folder), proxy.url, long, folder);
  } finally {
    await proxy.close();
    await close();
  }
  const exchanges = traffic.map(({ url: whole, ...rest }) => ({ ...rest, path: whole.slice(url.length) }));
  expect(exchanges.length).toBeGreaterThan(100);
  for (const options of [{}, withConfiguration]) expect(failuresOf(observed(exchanges, options))).toEqual([]);
});
