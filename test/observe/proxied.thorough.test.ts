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

// The same of the second server, without the proxy: second-server.thorough.test.ts.
it("the traffic of the suite through the proxy to the sandbox shows no failure, in any order", async () => {
  const { url, close } = await startSandbox(testedSandbox());
  const settings = settingsOfSandbox(url);
  const traffic = await suiteThroughProxy(settings).finally(close);
  expect(foundIn(traffic, settings)).toEqual([]);
  expect(foundIn(shuffled(traffic), settings)).toEqual([]);
}, 240_000);

/**
 * Several runs at the same time must not move the clock or reset the server of the others. Each is short, with few random sequences, which
 * run one by one: what is tested is what comes from connections beside each other.
 */
const together = (settings: Settings): Settings => ({
  ...settings,
  profile: "core",
  hooks: {},
  sequences: { sequences: 5, seed: 1 },
  without: [...settings.without, "clock", "burst", "slow"],
});

// With the runs that make so many connections: the second server responds sooner.
describe.each([
  ["the sandbox", 8, () => startSandbox(testedSandbox()), settingsOfSandbox],
  ["the second server", 12, () => startSecondServer({ requestsPerMinute: 100_000 }), secondServerSettings],
] as const)("the traffic of several runs through the proxy, to %s,", (_, runs, start, settingsOf) => {
  it("shows no failure at 50 connections and more", async () => {
    const { url, close } = await start();
    const settings = together(settingsOf(url));
    const traffic = await suiteThroughProxy(settings, { runs }).finally(close);
    expect(mostAtOnce(traffic)).toBeGreaterThanOrEqual(50);
    expect(foundIn(traffic, settings)).toEqual([]);
  });
});
