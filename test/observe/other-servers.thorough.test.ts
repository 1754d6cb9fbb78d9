import { describe, expect, it } from "vitest";
import type { Settings } from "../../contract/engine/settings.ts";
import { Observer } from "../../contract/observe/observer.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { settingsOfSandbox, testedSandbox } from "../../scripts/contract/targets.ts";
import { Traffic, type TrafficExchange } from "../../scripts/observe/traffic.ts";
import { startSecondServer } from "../second-server/second-server.ts";
import { secondServerSettings } from "../second-server/settings.ts";
import { mostAtOnce, suiteThroughProxy } from "./proxied.ts";
import { failuresOf, shuffled } from "./samples.ts";

/** What an observer finds in traffic with the configuration, and with nothing. */
function foundIn(traffic: readonly TrafficExchange[], { keys, fixtures, deadlines }: Settings): string[] {
  const options = [{ keys, fixtures, deadlines, isAllTraffic: true }, { keys, fixtures, deadlines }, {}];
  return options.flatMap((one) => {
    const observer = new Observer(one);
    const passed = new Traffic(observer);
    for (const exchange of traffic) passed.add(exchange);
    observer.end();
    return failuresOf(observer);
  });
}

/** Several runs at the same time must not move the clock or reset the server of the others. */
const together = (settings: Settings): Settings => ({
  ...settings,
  hooks: {},
  without: [...settings.without, "clock", "burst", "slow"],
});

describe("the traffic of the suite through the proxy", () => {
  it("shows no failure of the sandbox, in any order", async () => {
    const { url, close } = await startSandbox(testedSandbox());
    const settings = settingsOfSandbox(url);
    const traffic = await suiteThroughProxy(settings).finally(close);
    expect(foundIn(traffic, settings)).toEqual([]);
    expect(foundIn(shuffled(traffic), settings)).toEqual([]);
  });

  it("shows no failure of the second server, in any order", async () => {
    const { url, close } = await startSecondServer({ requestsPerMinute: 100_000 });
    const settings = secondServerSettings(url);
    const traffic = await suiteThroughProxy(settings).finally(close);
    expect(foundIn(traffic, settings)).toEqual([]);
    expect(foundIn(shuffled(traffic), settings)).toEqual([]);
  });

  it("shows no failure of the sandbox at 50 connections and more", async () => {
    const { url, close } = await startSandbox(testedSandbox());
    const settings = together(settingsOfSandbox(url));
    const traffic = await suiteThroughProxy(settings, { runs: 8 }).finally(close);
    expect(mostAtOnce(traffic)).toBeGreaterThanOrEqual(50);
    expect(foundIn(traffic, settings)).toEqual([]);
  });

  it("shows no failure of the second server at 50 connections and more", async () => {
    const { url, close } = await startSecondServer({ requestsPerMinute: 100_000 });
    const settings = together(secondServerSettings(url));
    const traffic = await suiteThroughProxy(settings, { runs: 8 }).finally(close);
    expect(mostAtOnce(traffic)).toBeGreaterThanOrEqual(50);
    expect(foundIn(traffic, settings)).toEqual([]);
  });
});
