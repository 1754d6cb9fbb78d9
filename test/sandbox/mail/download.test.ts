import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { download, type Network } from "../../../sandbox/mail/download.ts";
import { type FileHost, startFileHost } from "./file-host.ts";

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
  respond: (response: ServerResponse) => void,
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
  expect({ lookups: network.lookups, connects: network.connects }).toEqual({
    lookups: ["files.example.com"],
    connects: ["127.0.0.1"],
  });
});

test("an empty file is valid", async () => {
  expect(await downloadFrom((response) => response.end())).toEqual({ bytes: Buffer.alloc(0) });
});

test("the next address is tried if one does not respond", async () => {
  const { network } = await hostOf((_, response) => response.end("x"));
  const nobody = net.createServer().listen(0, "127.0.0.1");
  await once(nobody, "listening");
  const { port } = nobody.address() as AddressInfo;
  nobody.close();
  const several: Network = {
    ...network,
    lookup: async () => ["1.1.1.1", "127.0.0.1"],
    connect: (options) =>
      options.host === "1.1.1.1" ? net.connect({ host: "127.0.0.1", port }) : network.connect(options),
  };
  expect(await download(link, limits, several)).toEqual({ bytes: Buffer.from("x") });
  expect(await download(link, limits, { ...several, lookup: async () => ["1.1.1.1"] })).toMatchObject({
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
  const never = new Promise<never>(() => {});

  test("to resolve", async () => {
    const { network } = await hostOf(() => {});
    expect(await download(link, soon, { ...network, lookup: () => never })).toEqual(late);
  });

  test("to encrypt", async () => {
    const sockets: Socket[] = [];
    const silent = net.createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    open.push({
      close: async () => {
        for (const socket of sockets) socket.destroy();
        silent.close();
      },
    });
    const { network } = await hostOf(() => {});
    expect(
      await download(link, soon, { ...network, connect: ({ host }) => net.connect({ host, port }) }),
    ).toEqual(late);
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
  test.each([300, 301, 302, 303, 304, 307, 308])("when the host responds with %i", async (status) => {
    const result = await downloadFrom((response) =>
      response.writeHead(status, { location: "https://files.example.com/" }).end(),
    );
    expect(result).toEqual({
      problem: "The link redirects, and redirects are not followed.",
      tooLarge: false,
    });
  });

  test.each([201, 204, 206, 401, 404, 410, 500, 503])("when the host responds with %i", async (status) => {
    const result = await downloadFrom((response) => response.writeHead(status).end());
    expect(result).toEqual({
      problem: `The host of the link responded with ${status}.`,
      tooLarge: false,
    });
  });

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

  test("when it breaks off", async () => {
    const result = await downloadFrom((response) => {
      response.writeHead(200, { "content-length": 900 });
      response.write("x", () => response.destroy());
    });
    expect(result).toEqual({ problem: "The file could not be downloaded.", tooLarge: false });
  });

  test("when the host talks no HTTP, or too much of it", async () => {
    const raw = (text: string) => downloadFrom((response) => response.socket?.end(text));
    // The error arrives together with the response.
    expect(await raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n")).toMatchObject({
      problem: "The file could not be downloaded.",
    });
    expect(await raw("SSH-2.0-OpenSSH\r\n\r\n")).toMatchObject({
      problem: "The file could not be downloaded.",
    });
    expect(await raw(`HTTP/1.1 200 OK\r\nX-Long: ${"a".repeat(100_000)}\r\n\r\n`)).toMatchObject({
      problem: "The file could not be downloaded.",
    });
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
    expect(network.connects).toEqual([]);
  });
});
