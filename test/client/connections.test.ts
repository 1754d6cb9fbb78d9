import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { reliableFetch } from "../../client/src/fetch.ts";
import { ConnectionError, createClient } from "../../client/src/index.ts";
import { withClosedPort } from "../../contract/client-suite/service/listeners.ts";
import { root } from "../../scripts/common/paths.ts";
import { key, rejection, testClient } from "./test-client.ts";

// Connections that fail, over real sockets.

const opened: Server[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listen(server: Server): Promise<number> {
  opened.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function failureOf(baseUrl: string): Promise<ConnectionError> {
  const client = createClient({ key, baseUrl, attempts: 1 });
  const error = await rejection(client.me());
  expect(error).toBeInstanceOf(ConnectionError);
  return error as ConnectionError;
}

test("a port without a server", () =>
  withClosedPort(async (port) => {
    const error = await failureOf(`http://127.0.0.1:${port}`);
    expect(error.message).toBe("no response: ECONNREFUSED");
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.cause).toMatchObject({
      code: "ECONNREFUSED",
      message: `connect ECONNREFUSED 127.0.0.1:${port}`,
    });
    const own = reliableFetch({ key, attempts: 1 });
    expect(await rejection(own(`http://127.0.0.1:${port}`))).toMatchObject({
      message: error.message,
      cause: { code: "ECONNREFUSED" },
    });
    // Node tries both addresses of this name.
    expect(await failureOf(`http://localhost:${port}`)).toMatchObject({
      message: "no response: ECONNREFUSED",
      cause: { code: "ECONNREFUSED" },
    });
  }));

test("a host that does not exist", { timeout: 60_000 }, async () => {
  const { message, cause } = await failureOf("https://nothing.invalid");
  // Without any name server the code is another one.
  expect(message).toMatch(/^no response: (ENOTFOUND|EAI_AGAIN)$/);
  expect(cause).toMatchObject({ message: expect.stringContaining("nothing.invalid") });
});

test("a self-signed certificate", async () => {
  const folder = join(root, "test/sandbox/mail/certificate");
  const pem = (name: string) => readFileSync(join(folder, name));
  const server = createTlsServer({ cert: pem("certificate.pem"), key: pem("key.pem") });
  const { message, cause } = await failureOf(`https://127.0.0.1:${await listen(server)}`);
  expect(message).toBe("no response: DEPTH_ZERO_SELF_SIGNED_CERT");
  expect(cause).toMatchObject({
    code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    message: expect.stringMatching(/^self-signed/),
  });
});

test("a server that hangs up", async () => {
  const port = await listen(createServer((socket) => socket.destroy()));
  const { message, cause } = await failureOf(`http://127.0.0.1:${port}`);
  expect(message).toMatch(/^no response: (UND_ERR_SOCKET|ECONNRESET)$/);
  expect(message).toContain(cause.code);
});

test.for<[name: string, thrown: unknown, message: string, code: string | undefined]>([
  [
    "with a cause",
    Object.assign(new Error("x"), { cause: { code: "ECONNRESET" } }),
    "ECONNRESET",
    "ECONNRESET",
  ],
  [
    "with a code",
    Object.assign(new Error("x"), { code: "ConnectionClosed" }),
    "ConnectionClosed",
    "ConnectionClosed",
  ],
  ["with a number as its code", new DOMException("stopped", "AbortError"), "AbortError: stopped", undefined],
  ["without a code", new TypeError("failed"), "TypeError: failed", undefined],
  [
    "with a cause without a code",
    new TypeError("fetch failed", { cause: new Error("bad port") }),
    "Error: bad port",
    undefined,
  ],
  ["that is a text", "failed", "failed", undefined],
  ["that is nothing", undefined, "undefined", undefined],
])("an error of fetch %s", async ([, thrown, message, code]) => {
  const { client, until } = testClient([], { attempts: 1, fetch: () => Promise.reject(thrown) });
  const error = (await until(rejection(client.me()))) as ConnectionError;
  expect(error.message).toBe(`no response: ${message}`);
  expect(error.cause.code).toBe(code);
  expect(Object.keys(error)).not.toContain("cause");
});
