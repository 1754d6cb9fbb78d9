import { hash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { usageError } from "../../lib/user-error.ts";
import type { Fixtures } from "../engine/settings.ts";

/** A file of every byte, which no other run has: the server under test cannot have it from an earlier one. */
function fileOf(runId: string): Uint8Array {
  const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  return Buffer.alloc(4096, Buffer.concat([everyByte, Buffer.from(runId)]));
}

const pathOf = (runId: string): string => `/${runId}/prices.pdf`;

/** The fixtures with the link of the file that the suite serves, and its hash. */
export const withAttachmentServer = (fixtures: Fixtures, runId: string): Fixtures =>
  fixtures.attachmentServer === undefined
    ? fixtures
    : {
        ...fixtures,
        attachmentLink: fixtures.attachmentServer.url.replace(/\/+$/, "") + pathOf(runId),
        attachmentHash: hash("sha256", fileOf(runId)),
      };

/**
 * Serves the file of a run, and nothing else. A port of 0 takes any free one. Only the end of a path is compared: the configured URL
 * may have a path of its own.
 * @throws UserError with exit code 2 if the port cannot be opened
 */
export async function openAttachmentServer(
  { port, host = "127.0.0.1" }: Omit<NonNullable<Fixtures["attachmentServer"]>, "url">,
  runId: string,
): Promise<{ port: number; close(): Promise<void> }> {
  const file = fileOf(runId);
  const server = createServer(({ method = "", url = "" }, response) => {
    const isFile = url.split("?")[0]?.endsWith(pathOf(runId)) === true && ["GET", "HEAD"].includes(method);
    if (!isFile) response.writeHead(404).end();
    else
      response
        .writeHead(200, { "content-type": "application/pdf", "content-length": file.length })
        .end(method === "GET" ? file : undefined);
  });
  const hint = "Choose another port in attachmentServer.port, and let attachmentServer.url lead to it.";
  return {
    port: await listen(server, "the server of the attachment", { port, host, hint }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Listener {
  on(event: "error", handle: (error: Error) => void): unknown;
  listen(port: number, host: string, opened: () => void): Pick<Server, "address">;
}

/**
 * Opens a port of the configuration. Once it is open, lost connections are ignored.
 * @param what the server, for messages
 * @returns the port
 * @throws UserError with exit code 2 if it cannot be opened
 */
export async function listen(
  server: Listener,
  what: string,
  { port, host, hint }: { port: number; host: string; hint: string },
): Promise<number> {
  const opened = Promise.withResolvers<void>();
  server.on("error", opened.reject);
  const listener = server.listen(port, host, opened.resolve);
  await opened.promise.catch((cause: NodeJS.ErrnoException) => {
    const message = `${what} cannot listen on ${host}:${port}: ${cause.code ?? "unknown error"}`;
    throw usageError(message, hint, cause);
  });
  return (listener.address() as AddressInfo).port;
}
