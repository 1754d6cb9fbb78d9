import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { startRig } from "../rig.ts";

test("a request on a connection that was idle a little longer than announced gets a response", async () => {
  const { sandbox } = await startRig();
  const { hostname, port } = new URL(sandbox.url);
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  const send = async (): Promise<string> => {
    socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [text] = await once(socket, "data");
    return text;
  };
  const [, seconds] = /Keep-Alive: timeout=(\d+)/i.exec(await send()) ?? [];
  // A busy client notices the time late.
  await wait(Number(seconds) * 1_000 + 5_000);
  expect(await send()).toMatch(/^HTTP\/1\.1 200/);
  socket.destroy();
});
