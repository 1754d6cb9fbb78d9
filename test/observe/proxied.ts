import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../../contract/engine/settings.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { runContract } from "../../scripts/contract/contract.ts";
import { startProxy } from "../../scripts/observe/proxy.ts";
import type { TrafficExchange } from "../../scripts/observe/traffic.ts";
import { message } from "./samples.ts";

/** Runs the suite through the proxy, so many runs at the same time, and returns the traffic. Hooks call the server directly. */
export async function suiteThroughProxy(
  settings: Settings,
  { runs = 1 }: { runs?: number } = {},
): Promise<TrafficExchange[]> {
  const traffic: TrafficExchange[] = [];
  const proxy = await startProxy({
    upstream: settings.baseUrl,
    port: 0,
    host: "127.0.0.1",
    onExchange: (exchange) => traffic.push(exchange),
  });
  try {
    await Promise.all(
      Array.from({ length: runs }, (_, index) =>
        runContract({
          settings: { ...settings, baseUrl: proxy.url, runId: `${settings.runId}${index}` },
        }),
      ),
    );
  } finally {
    await proxy.close();
  }
  return traffic;
}

/** The most exchanges that were in progress at the same time. */
export function mostAtOnce(exchanges: readonly TrafficExchange[]): number {
  const steps = exchanges.flatMap(({ startedAt = 0, milliseconds = 0 }) => [
    { at: startedAt, step: 1 },
    { at: startedAt + milliseconds, step: -1 },
  ]);
  let [most, current] = [0, 0];
  for (const { step } of steps.sort((one, other) => one.at - other.at || one.step - other.step)) {
    current += step;
    most = Math.max(most, current);
  }
  return most;
}

/**
 * Records what is sent to a sandbox through the proxy; default: a message, and its lookup.
 * @returns the file with the traffic
 */
export async function recordedSandbox(
  folder: string,
  send: (url: string) => Promise<void> = sendAndLookUp,
): Promise<string> {
  const file = join(folder, "traffic.ndjson");
  const sandbox = await startSandbox();
  const lines: string[] = [];
  const proxy = await startProxy({
    upstream: sandbox.url,
    port: 0,
    host: "127.0.0.1",
    onExchange: (exchange) => lines.push(JSON.stringify(exchange)),
  });
  try {
    await send(proxy.url);
  } finally {
    await proxy.close();
    await sandbox.close();
  }
  await writeFile(file, lines.join("\n"));
  return file;
}

async function sendAndLookUp(baseUrl: string): Promise<void> {
  const headers = { authorization: "Bearer sandbox_all_2f7c", "content-type": "application/json" };
  const url = `${baseUrl}/api/v1/emails`;
  const sent = await fetch(url, { method: "POST", headers, body: JSON.stringify(message) });
  const { id } = (await sent.json()) as { id: string };
  await (await fetch(`${url}/${id}`, { headers })).text();
}
