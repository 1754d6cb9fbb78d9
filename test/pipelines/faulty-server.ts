import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Sandbox } from "../../sandbox/index.ts";

/** Takes a request over, if it returns true. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

const isTo = ({ method, url = "" }: IncomingMessage, operation: string): boolean =>
  `${method} ${url}`.startsWith(operation);

/** Never responds to some requests, such as `POST /api/v1/emails/batch`. */
export const hangs =
  (operation: string): Fault =>
  (request) =>
    isTo(request, operation);

/** Closes the connection. */
export const drops =
  (operation: string): Fault =>
  (request) => {
    if (isTo(request, operation)) request.socket.destroy();
    return isTo(request, operation);
  };

/** Does not have some operations. */
export const lacks =
  (...operations: string[]): Fault =>
  (request, response) => {
    if (!operations.some((one) => isTo(request, one))) return false;
    const request_id = `req_${randomUUID()}`;
    response.writeHead(404, { "content-type": "application/json", "x-service-request-id": request_id });
    response.end(JSON.stringify({ error: { type: "not_found", message: "Not found.", request_id } }));
    return true;
  };

/** A server in front of a sandbox, with faults. `renamed` is a header that it calls otherwise. */
export async function faultyServer(sandbox: Sandbox, fault: Fault, renamed?: string) {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url = "/" } = request;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const body = await buffer(request);
    const init = { method, headers, ...(body.length > 0 && { body }) };
    const fetched = await sandbox.fetch(`http://sandbox${url}`, init);
    const entries = [...fetched.headers].map(([name, value]) => [name === renamed ? "x-other" : name, value]);
    response.writeHead(fetched.status, Object.fromEntries(entries)).end(await fetched.text());
  };
  const server = createServer((request, response) => {
    // The suite may close the connection in the middle of a request.
    if (!fault(request, response)) pass(request, response).catch(() => response.destroy());
  });
  // Otherwise a busy machine closes a connection just when it is used again.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
