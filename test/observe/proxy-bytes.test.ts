import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ObservingProxy, startProxy } from "../../scripts/observe/proxy.ts";
import type { TrafficExchange } from "../../scripts/observe/traffic.ts";
import { type RawMessage, type RawServer, sendRaw, startRawServer } from "./raw-http.ts";

let server: RawServer;
let proxy: ObservingProxy;
let exchanges: TrafficExchange[];

beforeAll(async () => {
  server = await startRawServer();
  proxy = await startProxy({
    upstream: server.url,
    port: 0,
    host: "127.0.0.1",
    onExchange: (one) => exchanges.push(one),
  });
});
afterAll(async () => {
  await proxy.close();
  server.close();
});
beforeEach(() => {
  exchanges = [];
  server.requests = [];
});

/** The lines that belong to the message: not those about one connection, nor about how the body is framed, which chunks may differ in. */
const ownLines = (lines: readonly string[]): string[] =>
  lines.filter((line) => !/^(connection|keep-alive|transfer-encoding|host|te):/i.test(line));

const same = ({ lines, trailers, ...message }: RawMessage) => ({
  ...message,
  lines: ownLines(lines),
  trailers,
});

/** Without the order of different headers, which says nothing: Node writes repeated ones together in a request that could have a body, and has none. */
const grouped = (message: ReturnType<typeof same>) => ({
  ...message,
  lines: message.lines
    .map((line) => line.replace(/^[^:]*/, (name) => name.toLowerCase()))
    .sort((one, other) => (one.split(":")[0] ?? "").localeCompare(other.split(":")[0] ?? "")),
});

const text = fc.string({ unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)) });
const bytes = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) });
const lines = fc
  .array(fc.tuple(fc.constantFrom("X-One", "x-one", "X-TWO", "ETag", "Accept"), text), {
    maxLength: 8,
  })
  .map((pairs) => pairs.map(([name, value]) => `${name}: ${value.trim()}`));
const framed = fc.record({
  lines,
  body: bytes,
  framing: fc.constantFrom("none", "length", "chunks", "chunks with trailers"),
  trailers: fc.constant(["X-Sum: 1", "x-Two: a b"]),
});
type Framed = typeof framed extends fc.Arbitrary<infer Value> ? Value : never;

/** The bytes of a message with a start line. */
function bytesOf(start: string, { lines: own, body, framing, trailers }: Framed): string {
  const head = [start, ...own];
  if (framing === "none") return `${head.join("\r\n")}\r\n\r\n`;
  if (framing === "length")
    return `${[...head, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`;
  const hasTrailers = framing !== "chunks";
  const fields = [...head, ...(hasTrailers ? ["Trailer: X-Sum"] : []), "Transfer-Encoding: chunked"];
  const chunk = body === "" ? "" : `${body.length.toString(16)}\r\n${body}\r\n`;
  const last = `0\r\n${hasTrailers ? `${trailers.join("\r\n")}\r\n` : ""}\r\n`;
  return `${fields.join("\r\n")}\r\n\r\n${chunk}${last}`;
}

describe("the proxy changes no byte of a message", () => {
  it("in 200 generated requests and responses", async () => {
    const message = fc.record({
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"),
      path: fc.constantFrom("/api/v1/emails", "/a//b/../c?x=%20&y=[]", "/%zz", "/?"),
      status: fc.constantFrom(
        "200 OK",
        "202 Accepted",
        "299 Odd but fine",
        "404 ",
        "422 x",
        "503 Bye",
        "204 No",
      ),
      request: framed,
      response: framed,
      interim: fc.constantFrom("", "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nX-Own: 1\r\n\r\n"),
    });
    await fc.assert(
      fc.asyncProperty(message, async ({ method, path, status, request, response, interim }) => {
        server.requests = [];
        const isBodiless = method === "HEAD" || status.startsWith("204");
        const sent =
          isBodiless || response.framing === "none"
            ? { ...response, framing: "length" as const, body: "" }
            : response;
        const responseBytes =
          interim +
          bytesOf(
            `HTTP/1.1 ${status}`,
            status.startsWith("204") ? { ...sent, framing: "none" as const } : sent,
          );
        server.response = { bytes: responseBytes };
        const requestBytes = bytesOf(`${method} ${path} HTTP/1.1`, {
          ...request,
          lines: ["Host: api.example.com", ...request.lines],
        });
        const received = await sendRaw(proxy.url, requestBytes);
        const [arrived] = server.requests;
        server.requests = [];
        server.response = { bytes: responseBytes };
        const directly = await sendRaw(server.url, requestBytes);
        const [direct] = server.requests;
        const isGrouped = request.framing === "none" && /^P/.test(method);
        const sides = [arrived, direct].map((one) => one && (isGrouped ? grouped(same(one)) : same(one)));
        expect(sides[0]).toEqual(sides[1]);
        expect(received && same(received)).toEqual(directly && same(directly));
      }),
      { numRuns: 200, seed: 39 },
    );
  }, 60_000);

  it("in the head of a message with thousands of headers", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `X-${index}: ${index}`);
    const head = (start: string): string => [start, ...many, "Content-Length: 0"].join("\r\n");
    server.response = { bytes: `${head("HTTP/1.1 200 OK")}\r\n\r\n` };
    const response = await sendRaw(proxy.url, `${head("GET / HTTP/1.1")}\r\n\r\n`);
    expect(ownLines(server.requests[0]?.lines ?? [])).toHaveLength(3001);
    expect(ownLines(response?.lines ?? [])).toHaveLength(3001);
  });

  const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
  const body = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

  it.each(["content-length", "Content-Length, host", "transfer-encoding, content-length", "content-type"])(
    "if Connection lists %s",
    async (listed) => {
      server.response = { bytes: ok };
      const head = [
        "DELETE /api HTTP/1.1",
        "Host: a",
        `Connection: ${listed}`,
        "Content-Type: application/json",
      ];
      await sendRaw(proxy.url, `${[...head, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`);
      expect(server.requests).toMatchObject([{ start: "DELETE /api HTTP/1.1", body }]);
      expect(server.requests[0]?.lines).toContain("Content-Type: application/json");
    },
  );

  it.each(["h2c", "websocket"])("an upgrade to %s is not used, and the server responds", async (protocol) => {
    server.response = { bytes: ok };
    const head = ["GET / HTTP/1.1", "Host: a", "Connection: Upgrade, HTTP2-Settings", `Upgrade: ${protocol}`];
    const response = await sendRaw(proxy.url, `${[...head, "HTTP2-Settings: AAMA"].join("\r\n")}\r\n\r\n`);
    expect(response?.start).toBe("HTTP/1.1 200 OK");
    expect(server.requests[0]?.lines.join("\n")).not.toMatch(/upgrade|http2/i);
  });

  it("a body that waits for 100 is sent once the server wants it", async () => {
    server.response = { bytes: `HTTP/1.1 100 Continue\r\n\r\n${ok}` };
    const head = ["POST / HTTP/1.1", "Host: a", "Expect: 100-continue", "Content-Length: 2"];
    const response = await sendRaw(proxy.url, `${head.join("\r\n")}\r\n\r\n{}`);
    expect(response).toMatchObject({ interim: ["HTTP/1.1 100"], start: "HTTP/1.1 200 OK" });
  });
});

describe("what a server sends does not end the proxy", () => {
  it.each([
    ["control characters in its reason", "HTTP/1.1 200 \u001B]0;x\u0007\r\nContent-Length: 0\r\n\r\n"],
    ["a status below 100", "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n"],
    ["the status 000", "HTTP/1.1 000 \r\nContent-Length: 0\r\n\r\n"],
    [
      "an upgrade that nobody asked for",
      "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
    ],
    ["101 without an upgrade", "HTTP/1.1 101 Switching\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"],
    ["no HTTP", "SSH-2.0-OpenSSH\r\n"],
    ["a start line alone, cut off", "HTTP/1.1 200 OK\r\n"],
    ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
    [
      "both a length and chunks",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
  ])("%s", async (name, response) => {
    server.response = { bytes: response, closes: true };
    const found = await sendRaw(proxy.url, "GET /api/v1/me HTTP/1.1\r\nHost: a\r\n\r\n");
    // What is cut off is so for the client, too.
    if (name.endsWith("cut off")) expect(found).toBeUndefined();
    else expect(found?.start).toMatch(/^HTTP\/1\.1 502 /);
    expect(exchanges).toMatchObject([{ status: 0 }]);
    server.response = { bytes: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" };
    const next = await sendRaw(proxy.url, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(next?.start).toBe("HTTP/1.1 200 OK");
  });
});
