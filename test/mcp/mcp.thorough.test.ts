import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../sandbox/index.ts";
import { startAgent } from "./agent.ts";

test("a run continues after the call, which a later one waits for", { timeout: 150_000 }, async () => {
  const sandbox = await startSandbox();
  const agent = await startAgent();
  onTestFinished(async () => {
    await agent.close();
    await sandbox.close();
  });
  // The suite sends one message for the time of the server, then that of the check.
  const body = JSON.stringify({ failure: "delay", delay: "PT24S", requests: "all", method: "POST" });
  await sandbox.fetch("/sandbox/failures", { method: "POST", body });
  const first = await agent.call("test", { base_url: sandbox.url, grep: "SEND-3" });
  expect(first).toBe("no test case is done yet. Call test without arguments to wait for it.");
  expect(await agent.call("test")).toMatch(/^1 of 1 requirement pass/);
});
