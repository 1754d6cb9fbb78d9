import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runHere } from "../../scripts/run-here.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { clientOf, keys } from "../rig.ts";
import { baseUrl, runSandbox, startOnAnyPort as start } from "./process.ts";

const bearer = { authorization: `Bearer ${keys.all}` };
const client = (url: string) => clientOf({ url });

describe("the start", () => {
  test("--quiet prints only the base URL", async () => {
    const sandbox = start("--quiet");
    const [url] = await sandbox.says(baseUrl);
    expect((await client(url).me().withResponse()).status).toBe(200);
    expect(await sandbox.end("SIGTERM")).toBe(0);
    expect(sandbox.out()).toBe(`${url}\n`);
    expect(sandbox.errors()).toBe("");
  });

  test("--log json prints lines of JSON without keys", async () => {
    const sandbox = start("--log", "json");
    const [url] = await sandbox.says(baseUrl);
    await fetch(`${url}/api/v1/me?token=secret`, { headers: bearer });
    await fetch(`${url}/api/v1/me`, { headers: { authorization: "Bearer sandbox_wrong" } });
    expect(await sandbox.end("SIGINT")).toBe(0);
    const lines = sandbox
      .out()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { event: "ready", url },
      { event: "request", method: "GET", path: "/api/v1/me", status: 200, account: "bakery" },
      {
        event: "request",
        method: "GET",
        path: "/api/v1/me",
        status: 401,
        account: null,
        error_type: "unauthorized",
      },
      { event: "stopped" },
    ]);
    expect(sandbox.out()).not.toMatch(/sandbox_|secret/);
  });
});

describe("a start that fails explains why, and what to do", () => {
  test.for<[string, string[], string, string]>([
    [
      "a missing seed",
      ["--seed", "none.yaml"],
      "cannot read none.yaml: there is no such file",
      "Give --seed the path",
    ],
    [
      "an interface of another machine",
      ["--host", "192.0.2.1"],
      "192.0.2.1 is not an interface of this machine",
      "Omit --host",
    ],
    [
      "a URL in place of a host name",
      ["--allow-host", "http://sandbox:4020"],
      '"http://sandbox:4020" is not a host name',
      "Give names without scheme and port",
    ],
    [
      "an invalid amount of memory",
      ["--memory", "64M"],
      "--memory must be a whole number from 1 to",
      "It is a number of MiB; the default is 64.",
    ],
    ["an invalid start time", ["--start-at", "soon"], "--start-at must be a time", "Example: 2027"],
    [
      "a start time that does not exist",
      ["--start-at", "2027-02-30T09:00:00Z"],
      "--start-at must be a time with an offset, or examples (got",
      "Example: 2027",
    ],
  ])("%s", async ([, flags, error, hint]) => {
    const { status, err } = await runHere("sandbox", "--port", "0", ...flags);
    expect(status).toBe(2);
    expect(err).toContain(`error: ${error}`);
    expect(err).toContain(`hint:  ${hint}`);
    expect(err).not.toContain("    at ");
  });

  test("an invalid seed is reported with its line", async () => {
    const path = join(temporaryFolder(), "shop.yaml");
    writeFileSync(path, "accounts:\n  - id: shop\n    keys: []\n    colour: red\n");
    const { status, err } = await runHere("sandbox", "--port", "0", "--seed", path);
    expect(status).toBe(2);
    expect(err).toContain(`${path}:4:13 accounts[0].colour is not a known property`);
  });

  test("a port in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as { port: number };
    const sandbox = runSandbox("--port", String(port));
    expect(await sandbox.ended).toBe(2);
    expect(sandbox.errors()).toContain(
      `error: port ${port} on 127.0.0.1 is in use\nhint:  Choose another with --port`,
    );
    taken.close();
  });
});
