import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startSandbox } from "../../sandbox/index.ts";
import { startProxy } from "../../scripts/observe/proxy.ts";
import { message } from "./samples.ts";

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
