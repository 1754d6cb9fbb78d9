import { Agent, request as open } from "node:http";
import { buffer } from "node:stream/consumers";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Header fields of a connection, which `node:http` writes itself. */
export const ofConnection: ReadonlySet<string> = new Set([
  ...["connection", "content-length", "date", "keep-alive", "transfer-encoding"],
]);

/** Statuses without a body. */
const bodiless = new Set([204, 205, 304]);

/** Sends what `fetch` does not: TRACE, and GET with a body. */
export function sender(baseUrl: string): { send: Fetch; close(): void } {
  const agent = new Agent({ keepAlive: true });
  const send: Fetch = (path, { method = "GET", headers = {}, body = "" }) =>
    new Promise((resolve, reject) => {
      const content = Buffer.from(String(body));
      const fields = Object.fromEntries(
        [...new Headers(headers)].filter(([name]) => !ofConnection.has(name) && name !== "host"),
      );
      const length = content.length > 0 && { "content-length": String(content.length) };
      const request = open(new URL(path, baseUrl), { agent, method, headers: { ...fields, ...length } });
      request.on("error", reject).on("response", async (response) => {
        const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          [value].flat().join(", "),
        ]);
        const status = response.statusCode ?? 500;
        try {
          const received = await buffer(response);
          resolve(
            new Response(bodiless.has(status) ? null : new Uint8Array(received), { status, headers: pairs }),
          );
        } catch (error) {
          reject(error);
        }
      });
      request.end(content);
    });
  return { send, close: () => agent.destroy() };
}
