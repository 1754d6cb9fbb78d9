import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy that sends each request to the next of several servers. */
export async function startProxy(urls: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  let next = 0;
  const server = createServer((request, response) => {
    const { hostname, port } = new URL(urls[next % urls.length] ?? "");
    next += 1;
    const { method, url: path, headers } = request;
    const forwarded = send({ hostname, port, method, path, headers, agent: false }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
