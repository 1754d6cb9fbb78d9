import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { htmlReport } from "../../contract/report/html.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { runContract } from "../../scripts/contract/contract.ts";
import { settingsOfSandbox, testedSandbox } from "../../scripts/contract/targets.ts";

/** The HTML report of a run against a sandbox with one fault: it accepts a display name in `from`. */
export async function reportWithFailure(): Promise<string> {
  const sandbox = await startSandbox({ ...testedSandbox(), port: 0 });
  const server = createServer(async (request, response) => {
    const { url = "", method = "GET" } = request;
    const headers = request.headers as Record<string, string>;
    const given = await text(request);
    const body = given.replace(/"from":"[^"<]*<([^">]*)>"/, '"from":"$1"');
    try {
      const found = await sandbox.fetch(url, { method, headers, ...(body !== "" && { body }) });
      response.writeHead(found.status, Object.fromEntries(found.headers));
      response.end(Buffer.from(await found.arrayBuffer()));
    } catch {
      // A simulated failure closes the connection.
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    // The picture shows the server by its URL.
    const { implementation: _, ...settings } = settingsOfSandbox(`http://127.0.0.1:${port}`, "core");
    return htmlReport(await runContract({ settings }));
  } finally {
    server.close();
    server.closeAllConnections();
    await sandbox.close();
  }
}
