import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { download, type Network } from "../../../sandbox/mail/download.ts";
import { isPublicAddress } from "../../../sandbox/mail/link.ts";
import { type FileHost, startFileHost } from "./file-host.ts";
import { privateRecords, rejectedLinks } from "./rejected-links.ts";

const rejectedLimits = { maxBytes: 1000, timeoutMilliseconds: 10_000 };
const privateNetwork = { problem: "The link leads into a private network.", tooLarge: false };
let host: FileHost;

beforeAll(async () => {
  host = await startFileHost((request, response) => {
    if (request.url === "/redirect") response.writeHead(302, { location: "https://127.0.0.1/secret" });
    response.end("secret");
  });
});
afterAll(() => host.close());

/** The internet with other DNS records. Every connection leads to the host on loopback, and is counted. */
function resolving(
  addressesOf: (lookup: number) => string[],
): Network & { lookups: number; connects: string[] } {
  const network = {
    lookups: 0,
    connects: [] as string[],
    lookup: async () => addressesOf(network.lookups++),
    connect: (options: Parameters<Network["connect"]>[0]) => {
      network.connects.push(options.host);
      return host.connect();
    },
    isPublic: isPublicAddress,
  };
  return network;
}

async function expectRejected(records: string[]): Promise<void> {
  const network = resolving(() => records);
  expect(await download("https://files.example.com/", rejectedLimits, network), records.join()).toEqual(
    privateNetwork,
  );
  expect(network.connects).toEqual([]);
}

describe("no connection is made", () => {
  test.each(rejectedLinks)("and no name resolved for $kind", async ({ links }) => {
    const network = resolving(() => ["93.184.216.34"]);
    for (const link of links) {
      const result = await download(link, rejectedLimits, network);
      expect(result, link).toMatchObject({
        problem: expect.stringMatching(/^The link .+\.$/),
        tooLarge: false,
      });
    }
    expect({ lookups: network.lookups, connects: network.connects }).toEqual({ lookups: 0, connects: [] });
  });

  test("to a name with private addresses only", async () => {
    for (const address of privateRecords()) await expectRejected([address]);
    await expectRejected(privateRecords());
  });

  test("to a name with one private address among public ones, in any position", async () => {
    for (const address of privateRecords()) {
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
    expect(await download("https://files.example.com/", rejectedLimits, network)).toMatchObject({
      problem: "The host of the link does not exist.",
    });
    expect(network.connects).toEqual([]);
  });
});

describe("a name that changes its address", () => {
  test("is resolved once, and connected to by its checked address", async () => {
    const network = resolving((lookup) => (lookup === 0 ? ["93.184.216.34"] : ["127.0.0.1"]));
    await download("https://files.example.com/", rejectedLimits, network);
    expect({ lookups: network.lookups, connects: network.connects }).toEqual({
      lookups: 1,
      connects: ["93.184.216.34"],
    });
  });

  test("is rejected before a byte is sent if the connection still leads to a private address", async () => {
    // Every connection of this network leads to loopback, which is not public in this test.
    const before = host.connections();
    expect(
      await download(
        "https://files.example.com/",
        rejectedLimits,
        resolving(() => ["93.184.216.34"]),
      ),
    ).toEqual(privateNetwork);
    expect(host.connections() - before).toBeLessThanOrEqual(1);
  });

  test("is rejected by the socket, even if it is taken for public", async () => {
    const { connect } = (await import("../../../sandbox/mail/download.ts")).internet;
    const network = { ...resolving(() => ["127.0.0.1"]), connect, isPublic: () => true };
    expect(await download("https://files.example.com/", rejectedLimits, network)).toEqual(privateNetwork);
  });
});

test("a redirect is not followed: there is one connection", async () => {
  const { network } = host;
  const [before, connects] = [host.connections(), network.connects.length];
  expect({ lookups: network.lookups, connects }).toEqual({ lookups: [], connects: 0 });
  expect(await download("https://files.example.com/redirect", rejectedLimits, network)).toEqual({
    problem: "The link redirects, and redirects are not followed.",
    tooLarge: false,
  });
  expect({ lookups: network.lookups, connects: network.connects }).toEqual({
    lookups: ["files.example.com"],
    connects: ["127.0.0.1"],
  });
  expect(host.connections() - before).toBe(1);
});
