import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { exampleTime } from "../../../generated/examples.ts";
import { exchange, parse } from "../http/raw.ts";
import { clientOf } from "../rig.ts";
import { baseUrl, runSandbox, startOnAnyPort as start } from "./process.ts";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("curl was not found, so the request of the banner is not tested in a shell.");

const client = (url: string) => clientOf({ url });

describe("the start", () => {
  test.skipIf(!hasCurl)("the request of the banner works in a shell", async () => {
    const sandbox = start();
    const [, command = ""] = await sandbox.says(/Try it\n([\s\S]+?)\n\n/);
    const { stdout } = await promisify(execFile)("sh", ["-c", command]);
    expect(JSON.parse(stdout.split("\r\n\r\n")[1] ?? "")).toMatchObject({
      to: ["success@simulator.example"],
      suppressed: [],
    });
    await sandbox.says(/POST \/api\/v1\/emails 202/);
  });

  test("--log json prints warnings and errors as lines of JSON too", async () => {
    const sandbox = start("--log", "json", "--host", "0.0.0.0");
    const [, port] = await sandbox.says(/http:\/\/0\.0\.0\.0:(\d+)/);
    await sandbox.says(/"warning"/);
    const second = runSandbox("--log", "json", "--host", "0.0.0.0", "--port", port ?? "");
    expect(await second.ended).toBe(2);
    expect(JSON.parse(second.out())).toMatchObject({
      event: "error",
      message: `port ${port} on 0.0.0.0 is in use`,
      hint: expect.stringContaining("--port"),
    });
    expect(await sandbox.end("SIGTERM")).toBe(0);
    const lines = sandbox.out().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: "ready" },
      { event: "warning", message: expect.stringContaining("other machines can reach this sandbox") },
      { event: "stopped" },
    ]);
    expect(sandbox.errors() + second.errors()).toBe("");
  });

  test("on a network it warns, and disables the control API", async () => {
    const sandbox = start("--quiet", "--host", "0.0.0.0");
    const [, port] = await sandbox.says(/http:\/\/0\.0\.0\.0:(\d+)/);
    expect((await fetch(`http://127.0.0.1:${port}/sandbox/reset`, { method: "POST" })).status).toBe(403);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    await sandbox.end("SIGTERM");
    expect(sandbox.errors()).toContain("warning: other machines can reach this sandbox");
  });

  test.each([["127.0.0.1"], ["localhost"]])("--control on %s warns that it has no effect", async (host) => {
    const sandbox = start("--quiet", "--control", "--host", host);
    await sandbox.says(/http:\S+/);
    expect(await sandbox.end("SIGTERM")).toBe(0);
    // The text is wrapped.
    const text = sandbox.errors().replaceAll(/\s+/g, " ");
    expect(text).toContain(`warning: --control has no effect: only this machine reaches ${host}.`);
    expect(text).toContain("add --host 0.0.0.0");
  });

  test("--control on a network opens the control API, and has no further warning", async () => {
    const sandbox = start("--log", "json", "--control", "--host", "0.0.0.0");
    const [, port] = await sandbox.says(/http:\/\/0\.0\.0\.0:(\d+)/);
    expect((await fetch(`http://127.0.0.1:${port}/sandbox/reset`, { method: "POST" })).status).toBe(200);
    expect(await sandbox.end("SIGTERM")).toBe(0);
    const warnings = sandbox.out().match(/.*"warning".*/g) ?? [];
    expect(warnings).toEqual([expect.stringContaining("They can also read its outbox and reset it.")]);
  });

  test("--allow-host accepts further names, and is repeatable", async () => {
    const sandbox = start("--quiet", "--allow-host", "one.shop.example", "--allow-host", "two.shop.example");
    const [url] = await sandbox.says(baseUrl);
    const statusFor = async (host: string) =>
      parse(await exchange(url, `GET /sandbox/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))
        ?.status;
    expect(await statusFor("one.shop.example")).toBe(200);
    expect(await statusFor("two.shop.example:4020")).toBe(200);
    expect(await statusFor("three.shop.example")).toBe(403);
  });

  test.each([
    ["2027-01-31T09:00:00Z", "2027-01-31T09:01:00.000Z"],
    ["examples", new Date(Date.parse(exampleTime) + 60_000).toISOString()],
  ])("--frozen and --start-at %s set the clock", async (time, now) => {
    const sandbox = start("--quiet", "--frozen", "--start-at", time);
    const [url] = await sandbox.says(baseUrl);
    const response = await fetch(`${url}/sandbox/clock`, { method: "POST", body: '{"advance":"PT1M"}' });
    expect(await response.json()).toMatchObject({ now });
  });
});

describe("the stop", () => {
  test("a request in progress gets its response", async () => {
    const sandbox = start("--quiet");
    const [url] = await sandbox.says(baseUrl);
    await fetch(`${url}/sandbox/failures`, { method: "POST", body: '{"failure":"delay","delay":300}' });
    const response = client(url).me().withResponse();
    // The failure is no longer pending once the request is in progress.
    while ((await (await fetch(`${url}/sandbox/failures`)).text()).includes('"delay"'));
    expect(await sandbox.end("SIGTERM")).toBe(0);
    expect((await response).status).toBe(200);
  });
});
