import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { download, type Network } from "../../../sandbox/mail/download.ts";
import { isPublicAddress } from "../../../sandbox/mail/link.ts";
import { type FileHost, startFileHost } from "./file-host.ts";
import { privateRecords, rejectedLinks } from "./rejected-links.ts";

const link = "https://files.example.com/terms.pdf?version=2";
const limits = { maxBytes: 1000, timeoutMilliseconds: 10_000 };
/** Long enough for loopback, and short enough for a test. */
const soon = { maxBytes: 1000, timeoutMilliseconds: 300 };
const late = { problem: "The download timed out.", tooLarge: false };
const tooLarge = { problem: "The file is too large for a message.", tooLarge: true };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((host) => host.close()));
});

async function hostOf(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FileHost> {
  const host = await startFileHost(handle);
  open.push(host);
  return host;
}

/** Downloads from a host that responds like this. */
async function downloadFrom(
  respond: (response: ServerResponse) => unknown,
  within = limits,
): ReturnType<typeof download> {
  return download(link, within, (await hostOf((_, response) => respond(response))).network);
}

test("a file is downloaded unchanged, with a minimal request", async () => {
  const everyByte = Uint8Array.from({ length: 1000 }, (_, n) => n % 256);
  const requests: IncomingMessage[] = [];
  const { network } = await hostOf((request, response) => {
    requests.push(request);
    response.end(everyByte);
  });
  expect(await download(link, limits, network)).toEqual({ bytes: Buffer.from(everyByte) });
  expect(requests.map(({ method, url, headers }) => ({ method, url, headers }))).toEqual([
    {
      ...{ method: "GET", url: "/terms.pdf?version=2" },
      headers: {
        host: "files.example.com",
        accept: "*/*",
        "accept-encoding": "identity",
        connection: "close",
      },
    },
  ]);
  expect(network.lookups).toEqual(["files.example.com"]);
});

test("an empty file is valid", async () => {
  expect(await downloadFrom((response) => response.end())).toEqual({ bytes: Buffer.alloc(0) });
});

test("the next address is tried if one does not respond", async () => {
  const { network } = await hostOf((_, response) => response.end("x"));
  // The host listens on the first address of loopback only.
  const several: Network = { ...network, lookup: async () => ["127.0.0.2", "127.0.0.1"] };
  expect(await download(link, limits, several)).toEqual({ bytes: Buffer.from("x") });
  expect(await download(link, limits, { ...several, lookup: async () => ["127.0.0.2"] })).toMatchObject({
    problem: "The host of the link cannot be reached.",
  });
});

describe("a file that is too large", () => {
  test.each([1000, 1001])(
    "is recognized by its Content-Length: %i bytes with room for 1000",
    async (size) => {
      const result = await downloadFrom((response) =>
        response.writeHead(200, { "content-length": size }).end(Buffer.alloc(size)),
      );
      expect(result).toEqual(size > 1000 ? tooLarge : { bytes: Buffer.alloc(1000) });
    },
  );

  test("is aborted if it has no Content-Length and never ends", async () => {
    const result = await downloadFrom((response) => {
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(500)));
      };
      response.on("drain", pour);
      pour();
    });
    expect(result).toEqual(tooLarge);
  });
});

describe("a slow file", () => {
  test("to resolve", async () => {
    const { network } = await hostOf(() => {});
    const lookup = () => new Promise<never>(() => {});
    expect(await download(link, soon, { ...network, lookup })).toEqual(late);
  });

  test("to encrypt", async () => {
    const silent = net.createServer((socket) => void open.push({ close: async () => void socket.destroy() }));
    await once(silent.listen(0, "127.0.0.1"), "listening");
    open.push({ close: async () => void silent.close() });
    const { port } = silent.address() as AddressInfo;
    const { network } = await hostOf(() => {});
    expect(await download(link, soon, { ...network, port })).toEqual(late);
  });

  test("to respond", async () => {
    expect(await downloadFrom(() => {}, soon)).toEqual(late);
  });

  test("to arrive, byte by byte", async () => {
    const timers: NodeJS.Timeout[] = [];
    const result = await downloadFrom(
      (response) => timers.push(setInterval(() => response.write("x"), 20)),
      soon,
    );
    for (const timer of timers) clearInterval(timer);
    expect(result).toEqual(late);
  });
});

describe("a file is rejected", () => {
  test.each([201, 204, 206, 300, 301, 302, 303, 304, 307, 308, 401, 404, 410, 500, 503])(
    "when the host responds with %i",
    async (status) => {
      const redirects = status >= 300 && status < 400;
      const problem = redirects
        ? "The link redirects, and redirects are not followed."
        : `The host of the link responded with ${status}.`;
      const location = "https://files.example.com/";
      const result = await downloadFrom((response) => response.writeHead(status, { location }).end());
      expect(result).toEqual({ problem, tooLarge: false });
    },
  );

  test.each(["gzip", "GZIP", "br", "deflate", "zstd", "x-unknown", "gzip, identity"])(
    "when it comes packed as %s",
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(50_000));
      const result = await downloadFrom((response) =>
        response.writeHead(200, { "content-encoding": encoding }).end(bomb),
      );
      expect(result).toEqual({ problem: "The host of the link sent a compressed file.", tooLarge: false });
    },
  );

  const raw = (text: string) => (response: ServerResponse) => response.socket?.end(text);

  test.each<[string, (response: ServerResponse) => unknown]>([
    [
      "it breaks off",
      (response) => response.writeHead(200, { "content-length": 900 }).write("x", () => response.destroy()),
    ],
    // The error arrives together with the response.
    ["its chunks are no chunks", raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n")],
    ["the host talks no HTTP", raw("SSH-2.0-OpenSSH\r\n\r\n")],
    ["a header is too large", raw(`HTTP/1.1 200 OK\r\nX-Long: ${"a".repeat(100_000)}\r\n\r\n`)],
  ])("when %s", async (_name, respond) => {
    const problem = "The file could not be downloaded.";
    expect(await downloadFrom(respond)).toEqual({ problem, tooLarge: false });
  });

  test("when nobody vouches for the host", async () => {
    const { network } = await hostOf((_, response) => response.end("x"));
    const { certificates: _, ...strict } = network;
    expect(await download(link, limits, strict)).toMatchObject({
      problem: expect.stringMatching(/has no valid certificate \(.+\)\.$/),
    });
  });

  test("when the host's certificate is another's", async () => {
    const { network } = await hostOf((_, response) => response.end("x"));
    expect(await download("https://www.example.com/", limits, network)).toEqual({
      problem: "The host of the link has no valid certificate (ERR_TLS_CERT_ALTNAME_INVALID).",
      tooLarge: false,
    });
  });

  test.each([
    ["ENOTFOUND", "The host of the link does not exist."],
    ["EAI_AGAIN", "The host of the link could not be resolved."],
  ])("when DNS says %s", async (code, problem) => {
    const { network } = await hostOf(() => {});
    const lookup = () => Promise.reject(Object.assign(new Error(code), { code }));
    expect(await download(link, limits, { ...network, lookup })).toEqual({ problem, tooLarge: false });
  });
});

const privateNetwork = { problem: "The link leads into a private network.", tooLarge: false };
let host: FileHost;

beforeAll(async () => {
  host = await startFileHost((request, response) => {
    if (request.url === "/redirect") response.writeHead(302, { location: "https://127.0.0.1/secret" });
    response.end("secret");
  });
});
afterAll(() => host.close());

/** The internet with other DNS records. Every connection to loopback leads to the host. */
function resolving(addressesOf: (lookup: number) => string[]): Network & { lookups: number } {
  const network = {
    lookups: 0,
    lookup: async () => addressesOf(network.lookups++),
    port: Number(host.network.port),
    isPublic: isPublicAddress,
  };
  return network;
}

async function expectRejected(records: readonly string[]): Promise<void> {
  const network = resolving(() => [...records]);
  expect(await download("https://files.example.com/", limits, network), records.join()).toEqual(
    privateNetwork,
  );
  expect(host.connections()).toBe(0);
}

describe("no connection is made", () => {
  test.each(rejectedLinks)("and no name resolved for %s", async (_kind, links) => {
    const network = resolving(() => ["93.184.216.34"]);
    for (const link of links) {
      const result = await download(link, limits, network);
      expect(result, link).toMatchObject({
        problem: expect.stringMatching(/^The link .+\.$/),
        tooLarge: false,
      });
    }
    expect([network.lookups, host.connections()]).toEqual([0, 0]);
  });

  test("to a name with private addresses only", async () => {
    for (const address of privateRecords) await expectRejected([address]);
    await expectRejected(privateRecords);
  });

  test("to a name with one private address among public ones, in any position", async () => {
    for (const address of privateRecords) {
      await expectRejected([address, "93.184.216.34"]);
      await expectRejected(["93.184.216.34", address]);
      await expectRejected(["93.184.216.34", "2606:4700:4700::1111", address, "1.1.1.1"]);
    }
  });

  test.each(["0x7f.1", "127.1", "2130706433", "fe80::1%lo", "localhost", "", "127.0.0.1\u0000"])(
    "to a name whose address is written %j in DNS",
    async (address) => {
      await expectRejected([address]);
      await expectRejected(["1.1.1.1", address]);
    },
  );

  test("to a name without an address", async () => {
    const network = resolving(() => []);
    expect(await download("https://files.example.com/", limits, network)).toMatchObject({
      problem: "The host of the link does not exist.",
    });
  });
});

test("a name that changes its address is resolved once, and connected to by its checked address", async () => {
  const { network } = await hostOf((_, response) => response.end("x"));
  const { lookup } = resolving((count) => [count === 0 ? "127.0.0.1" : "10.0.0.1"]);
  expect(await download(link, limits, { ...network, lookup })).toEqual({ bytes: Buffer.from("x") });
});

test("a redirect is not followed: there is one connection", async () => {
  const { network } = host;
  expect(await download("https://files.example.com/redirect", limits, network)).toEqual({
    problem: "The link redirects, and redirects are not followed.",
    tooLarge: false,
  });
  expect([network.lookups, host.connections()]).toEqual([["files.example.com"], 1]);
});
