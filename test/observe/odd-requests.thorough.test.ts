import fc from "fast-check";
import { expect, test } from "vitest";
import type { Settings } from "../../contract/engine/settings.ts";
import { Observer } from "../../contract/observe/observer.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { settingsOfSandbox } from "../../scripts/contract/targets.ts";
import { startProxy } from "../../scripts/observe/proxy.ts";
import { Traffic, type TrafficExchange } from "../../scripts/observe/traffic.ts";
import { startSecondServer } from "../second-server/second-server.ts";
import { secondServerSettings } from "../second-server/settings.ts";
import { oddRequests, sendAll } from "./odd-requests.ts";
import { failuresOf } from "./samples.ts";

const requestsPerMinute = 1_000_000;
const servers = [
  { name: "the sandbox", start: () => startSandbox({ requestsPerMinute }), settingsOf: settingsOfSandbox },
  {
    name: "the second server",
    start: () => startSecondServer({ requestsPerMinute }),
    settingsOf: secondServerSettings,
  },
];

/** Traffic of random requests to a server, through the proxy. */
async function oddTraffic(settings: Settings, connections: number): Promise<TrafficExchange[]> {
  const traffic: TrafficExchange[] = [];
  const onExchange = (exchange: TrafficExchange): void => void traffic.push(exchange);
  const proxy = await startProxy({ upstream: settings.baseUrl, port: 0, host: "127.0.0.1", onExchange });
  const { full = "", ...others } = settings.keys;
  const { verified = "" } = settings.fixtures.domains ?? {};
  const arbitrary = oddRequests([full, ...Object.values(others)], verified);
  await sendAll(proxy.url, fc.sample(arbitrary, { seed: connections, numRuns: 4000 }), connections);
  await proxy.close();
  return traffic;
}

test.each(servers.flatMap((server) => [1, 8].map((connections) => ({ ...server, connections }))))(
  "4,000 odd requests to $name over $connections connections show no failure",
  async ({ start, settingsOf, connections }) => {
    const { url, close } = await start();
    const settings = settingsOf(url);
    const traffic = await oddTraffic(settings, connections).finally(close);
    expect(traffic.filter(({ status }) => status >= 200 && status < 300).length).toBeGreaterThan(400);
    const { keys, fixtures } = settings;
    for (const options of [{}, { keys, fixtures }, { keys, fixtures, isAllTraffic: true }]) {
      const observer = new Observer(options);
      const passed = new Traffic(observer);
      for (const exchange of traffic) passed.add(exchange);
      observer.end();
      expect(failuresOf(observer)).toEqual([]);
    }
  },
);
