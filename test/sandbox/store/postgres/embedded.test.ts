import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmbedded } from "../../../../sandbox/store/postgres/embedded.ts";
import { openPostgres } from "../../../../sandbox/store/postgres/open.ts";
import { sentMessage, taking } from "../records.ts";
import { temporaryFolder } from "../sample.ts";

test("a server in a folder has its data again after a restart", async () => {
  const folder = temporaryFolder();
  for (const id of ["msg_1", "msg_2"]) {
    const server = await startEmbedded({ folder });
    const stores = await openPostgres(server.url);
    const store = await stores.open("blue");
    await store.accept(taking([sentMessage(id)]));
    const ids = (await store.messages({ limit: 9 })).map((message) => message.id);
    expect(ids).toEqual(id === "msg_1" ? ["msg_1"] : ["msg_2", "msg_1"]);
    await store.close();
    await stores.close();
    await server.close();
  }
});

test("a folder whose path is too long for a socket is rejected", async () => {
  const folder = join(temporaryFolder(), "x".repeat(90));
  await expect(startEmbedded({ folder })).rejects.toThrow(/is too long for a socket/);
});

test("a temporary server ends with the process that has started it, however that ends", async () => {
  const folder = temporaryFolder();
  // PostgreSQL does not run as root, and removes the folder itself.
  chmodSync(folder, 0o777);
  const module = new URL("../../../../sandbox/store/postgres/embedded.ts", import.meta.url).href;
  const script = `const { startEmbedded } = await import(${JSON.stringify(module)});
    const { url } = await startEmbedded(); console.log(url); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await once(child.stdout, "data");
  const url = String(output).trim();
  const stores = await openPostgres(url);
  await stores.close();
  child.kill("SIGKILL");
  await expect.poll(() => openPostgres(url, { timeout: 0 }).catch(String)).toMatch(/cannot be reached/);
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});
