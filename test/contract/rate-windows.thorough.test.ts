import { expect, test } from "vitest";
import { startSandbox } from "../../sandbox/index.ts";
import { runContract } from "../../scripts/contract/contract.ts";
import { settingsOfSandbox, testedSandbox } from "../../scripts/contract/targets.ts";
import { startSecondServer } from "../second-server/second-server.ts";
import { secondServerSettings } from "../second-server/settings.ts";

const requestsPerMinute = 120;

test("the profile core does not wait for the rate limit of the sandbox", async () => {
  const { url, close } = await startSandbox({ ...testedSandbox(), requestsPerMinute });
  const { waitedMilliseconds, exitCode } = await runContract({ settings: settingsOfSandbox(url, "core") });
  await close();
  expect([waitedMilliseconds, exitCode]).toEqual([0, 0]);
}, 60_000);

test("nor for that of the second server", async () => {
  const { url, close } = await startSecondServer({ requestsPerMinute });
  const settings = { ...secondServerSettings(url), profile: "core" as const };
  const { waitedMilliseconds, exitCode } = await runContract({ settings });
  await close();
  expect([waitedMilliseconds, exitCode]).toEqual([0, 0]);
}, 120_000);
