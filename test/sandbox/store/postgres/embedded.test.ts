import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
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

test("a second instance uses the temporary server by its URL, and the variables of another one have no effect", async () => {
  vi.stubEnv("PGHOST", "db.invalid");
  vi.stubEnv("PGPORT", "1");
  vi.stubEnv("PGPASSWORD", "of another server");
  vi.stubEnv("PGSSLMODE", "verify-full");
  onTestFinished(() => void vi.unstubAllEnvs());
  const first = await openPostgres("postgres:embedded");
  const second = await openPostgres(first.shown ?? "");
  const store = await first.open("blue");
  await store.accept(taking([sentMessage("msg_1")]));
  const same = await second.open("blue");
  expect((await same.messages({ limit: 9 })).map(({ id }) => id)).toEqual(["msg_1"]);
  for (const open of [store, same, second, first]) await open.close();
});

test("if its server is killed, the log says that the data is lost", async () => {
  const errors: unknown[] = [];
  const stores = await openPostgres("postgres:embedded", { onError: (error) => errors.push(error) });
  const folder = decodeURIComponent(new URL(stores.shown ?? "").host.replace(/:\d+$/, ""));
  const [pid] = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGKILL");
  await expect
    .poll(() => errors.map(String))
    .toContainEqual(
      expect.stringContaining("the embedded PostgreSQL server has ended, and its data is lost"),
    );
  await stores.close();
  expect(existsSync(folder)).toBe(false);
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
