import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPublicAddress } from "../../../sandbox/mail/addresses.ts";
import { type Download, download } from "../../../sandbox/mail/download.ts";
import type { Network } from "../../../sandbox/mail/public-socket.ts";
import { type FileHost, startFileHost } from "./file-host.ts";
import { privateAnswers, refusedLinks } from "./refused-links.ts";

const limits = { maxBytes: 1000, timeoutMilliseconds: 10_000 };
const privateNetwork = { fault: "The link leads into a private network.", tooLarge: false };
let host: FileHost;

beforeAll(async () => {
  host = await startFileHost((request, response) => {
    if (request.url === "/redirect") response.writeHead(302, { location: "https://127.0.0.1/secret" });
    response.end("secret");
  });
});
afterAll(() => host.close());

/** The internet as it is, but for its DNS; every connection that is tried goes to the host on loopback, and is counted. */
function resolving(answers: (lookup: number) => string[]): Network & { lookups: number; connects: string[] } {
  const network = {
    lookups: 0,
    connects: [] as string[],
    lookup: async () => answers(network.lookups++),
    connect: (options: Parameters<Network["connect"]>[0]) => {
      network.connects.push(options.host);
      return host.connect();
    },
    isPublic: isPublicAddress,
  };
  return network;
}

async function refusedWithoutConnection(answers: string[]): Promise<void> {
  const network = resolving(() => answers);
  expect(await download("https://files.example.com/", limits, network), answers.join()).toEqual(
    privateNetwork,
  );
  expect(network.connects).toEqual([]);
}

describe("no connection is made", () => {
  test.each(refusedLinks)("for $kind, nor is a name looked up", async ({ links }) => {
    const network = resolving(() => ["93.184.216.34"]);
    for (const link of links) {
      const result: Download = await download(link, limits, network);
      expect(result, link).toMatchObject({
        fault: expect.stringMatching(/^The link .+\.$/),
        tooLarge: false,
      });
    }
    expect({ lookups: network.lookups, connects: network.connects }).toEqual({ lookups: 0, connects: [] });
  });

  test("to a name of which every address is private", async () => {
    for (const address of privateAnswers()) await refusedWithoutConnection([address]);
    await refusedWithoutConnection(privateAnswers());
  });

  test("to a name that has one private address among public ones, wherever it stands", async () => {
    for (const address of privateAnswers()) {
      await refusedWithoutConnection([address, "93.184.216.34"]);
      await refusedWithoutConnection(["93.184.216.34", address]);
      await refusedWithoutConnection(["93.184.216.34", "2606:4700:4700::1111", address, "1.1.1.1"]);
    }
  });

  test.each(["0x7f.1", "127.1", "2130706433", "fe80::1%lo", "localhost", "", "127.0.0.1\u0000"])(
    "to a name whose address DNS spells %j",
    async (address) => {
      await refusedWithoutConnection([address]);
      await refusedWithoutConnection(["1.1.1.1", address]);
    },
  );

  test("to a name without an address", async () => {
    const network = resolving(() => []);
    expect(await download("https://files.example.com/", limits, network)).toMatchObject({
      fault: "The link's host does not exist.",
    });
    expect(network.connects).toEqual([]);
  });
});

describe("a name that changes its address", () => {
  test("is looked up once, and connected to by the address that was checked", async () => {
    const network = resolving((lookup) => (lookup === 0 ? ["93.184.216.34"] : ["127.0.0.1"]));
    await download("https://files.example.com/", limits, network);
    expect({ lookups: network.lookups, connects: network.connects }).toEqual({
      lookups: 1,
      connects: ["93.184.216.34"],
    });
  });

  test("is refused before a byte is sent when the connection ends at a private address all the same", async () => {
    // Every connection of this network ends on loopback, which this time nobody calls public.
    const before = host.connections();
    expect(
      await download(
        "https://files.example.com/",
        limits,
        resolving(() => ["93.184.216.34"]),
      ),
    ).toEqual(privateNetwork);
    expect(host.connections() - before).toBeLessThanOrEqual(1);
  });

  test("is refused by the socket itself, were it to be taken for public", async () => {
    const { connect } = (await import("../../../sandbox/mail/public-socket.ts")).internet;
    const network = { ...resolving(() => ["127.0.0.1"]), connect, isPublic: () => true };
    expect(await download("https://files.example.com/", limits, network)).toEqual(privateNetwork);
  });
});

test("a redirect is not followed: the host is connected to once, and nothing else", async () => {
  const { network } = host;
  const [before, connects] = [host.connections(), network.connects.length];
  expect({ lookups: network.lookups, connects }).toEqual({ lookups: [], connects: 0 });
  expect(await download("https://files.example.com/redirect", limits, network)).toEqual({
    fault: "The link redirects elsewhere, which is not followed.",
    tooLarge: false,
  });
  expect({ lookups: network.lookups, connects: network.connects }).toEqual({
    lookups: ["files.example.com"],
    connects: ["127.0.0.1"],
  });
  expect(host.connections() - before).toBe(1);
});
