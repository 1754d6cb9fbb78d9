import { once } from "node:events";
import { utimesSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { discover } from "../../../contract/config/discover.ts";
import { loadSettings } from "../../../contract/config/load.ts";
import { type Keys, watch } from "../../../scripts/contract/watch.ts";
import { freePort } from "../../free-port.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runHere } from "../../scripts/run-here.ts";
import { folderWith } from "../config/folder.ts";

async function serve(port: number): Promise<Server> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json").end('{"lists":[],"fields":[]}');
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return server;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

test("--watch runs again on a key and when the server has restarted, until q", async () => {
  const port = await freePort();
  let server = await serve(port);
  const input = new PassThrough();
  let runs = 0;
  const next: (() => unknown)[] = [
    () => input.write(" "),
    async () => {
      await stop(server);
      await setTimeout(400);
      server = await serve(port);
    },
    () => input.write("q"),
  ];
  const exitCode = await watch(
    async () => {
      runs += 1;
      return runs;
    },
    async () => {
      setTimeout(300).then(() => next.shift()?.());
      return `http://127.0.0.1:${port}`;
    },
    { keys: input as unknown as Keys, print: () => {} },
  );
  expect([runs, exitCode]).toEqual([3, 3]);
  await stop(server);
});

test("--watch reads a configuration again for each run, and goes on while it is invalid", async () => {
  const port = await freePort();
  const server = await serve(port);
  const folder = folderWith();
  const file = join(folder, "contract.config.mjs");
  const save = (text: string) => {
    saves += 1;
    writeFileSync(file, text);
    utimesSync(file, saves, saves);
  };
  let saves = 0;
  const valid = (profile: string) =>
    `export default { baseUrl: "http://127.0.0.1:${port}", profile: "${profile}" };`;
  const input = new PassThrough();
  const texts = [valid("core"), valid("nothing"), "export default {", valid("full")];
  const found: string[] = [];
  const printed: string[] = [];
  const exitCode = await watch(
    async () => {
      save(texts.shift() ?? "");
      setTimeout(100).then(() => input.write(texts.length === 0 ? "q" : " "));
      found.push((await loadSettings({ folder, env: {} })).profile);
      return 0;
    },
    async () => (await loadSettings({ folder, env: {} })).baseUrl,
    { keys: input as unknown as Keys, print: (text) => printed.push(text) },
  );
  expect([found, exitCode]).toEqual([["core", "full"], 0]);
  expect(printed.filter((text) => text.startsWith("error: "))).toEqual([
    expect.stringMatching(/profile\s+must be one of mock, core/),
    expect.stringMatching(/cannot load \S*contract\.config\.mjs/),
  ]);
  await stop(server);
});

test("--watch needs a server that runs by itself", async () => {
  const { status, err } = await runHere("contract", "--target", "sandbox", "--watch");
  expect([status, err]).toEqual([2, expect.stringContaining("--watch needs a server that runs by itself")]);
});

test("--wait waits for a server that starts later", async () => {
  const port = await freePort();
  const settings = { ...demoSettings("core"), baseUrl: `http://127.0.0.1:${port}` };
  const found = discover(settings, { wait: 10 });
  await setTimeout(500);
  const server = await serve(port);
  expect((await found).lists).toEqual([]);
  await stop(server);
});
