import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { discover } from "../../../contract/config/discover.ts";
import { type Keys, watch } from "../../../scripts/contract/watch.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runHere } from "../../scripts/run-here.ts";

async function serve(port = 0): Promise<Server> {
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
  let server = await serve();
  const { port } = server.address() as AddressInfo;
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

test("--watch needs a server that runs by itself", async () => {
  const { status, err } = await runHere("contract", "--target", "sandbox", "--watch");
  expect([status, err]).toEqual([2, expect.stringContaining("--watch needs a server that runs by itself")]);
});

test("--wait waits for a server that starts later", async () => {
  const first = await serve();
  const { port } = first.address() as AddressInfo;
  await stop(first);
  const settings = { ...demoSettings("core"), baseUrl: `http://127.0.0.1:${port}` };
  const found = discover(settings, { wait: 10 });
  await setTimeout(500);
  const server = await serve(port);
  expect((await found).lists).toEqual([]);
  await stop(server);
});
