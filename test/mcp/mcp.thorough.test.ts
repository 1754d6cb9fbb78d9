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
  expect(first).toBe(
    "The run is in progress: no test case is done yet. Call test without arguments to wait for it.",
  );
  expect(await agent.call("test")).toMatch(/^1 of 1 requirement pass/);
});

test("while a run waits for a delivery, a call says so", { timeout: 150_000 }, async () => {
  const sandbox = await startSandbox({ delays: { delivery: 60_000 } });
  const settings = { deadlines: { delivery: 90 } };
  const agent = await startAgent();
  onTestFinished(async () => {
    await agent.close();
    await sandbox.close();
  });
  const first = await agent.call("test", { base_url: sandbox.url, grep: "SIM-1", settings });
  expect(first).toMatch(/^The run is in progress: .*polling getEmail for at most \d+ s\. Call test/);
});
