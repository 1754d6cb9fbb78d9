import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../../sandbox/domain/store.ts";
import { createTables } from "../../../../sandbox/store/sqlite/schema.ts";
import { openSqlite } from "../../../../sandbox/store/sqlite/store.ts";
import { numberIn } from "../numbers.ts";
import { emptyState, sentMessage, taking, withSettings } from "../records.ts";
import { opened, temporaryFolder } from "../sample.ts";

const first = "sandbox.db";
const next = "sandbox.generation-1.db";

const idsIn = async (store: Store): Promise<string[]> =>
  (await store.messages({ limit: 99 })).map(({ id }) => id);

const filesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => !/(-wal|\.lock|\.created)$/.test(name));

/** A folder with one message in it, that was closed in good order. */
async function filled(): Promise<string> {
  const folder = temporaryFolder();
  const store = openSqlite({ folder, numberIn });
  await store.accept(taking([sentMessage("early")]));
  await store.close();
  return folder;
}

/** The file that a reset leaves when it has come to its end. */
async function renewed(): Promise<string> {
  const folder = await filled();
  const store = openSqlite({ folder, numberIn });
  await store.reset(withSettings({ colour: "green" }));
  await store.close();
  return join(folder, next);
}

const walMode = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL");
  return database;
};

describe("a reset that a kill cut off", () => {
  test.each([
    { step: "the new file was made", leave: (file: string) => writeFileSync(file, "") },
    { step: "it had become a database", leave: (file: string) => walMode(file).close() },
    {
      step: "it had its tables",
      leave: (file: string) => {
        const database = walMode(file);
        createTables(database);
        database.close();
      },
    },
    {
      step: "its tables were written, and not committed",
      leave: (file: string) => {
        const other = `${file}.other`;
        const database = walMode(other);
        // Small enough a cache that it writes to the disk what is not committed.
        database.exec("PRAGMA cache_size = 1; BEGIN; CREATE TABLE message (a); CREATE TABLE content (a)");
        database.exec(`INSERT INTO content VALUES ('${"x".repeat(100_000)}')`);
        for (const ending of ["", "-wal"]) copyFileSync(other + ending, file + ending);
        database.close();
        rmSync(other);
      },
    },
  ])("after $step has not happened", async ({ leave }) => {
    const folder = await filled();
    leave(join(folder, next));
    const store = opened(folder);
    expect([await idsIn(store), filesIn(folder)]).toEqual([["early"], [first]]);
    await store.reset(emptyState);
    expect(await idsIn(store)).toEqual([]);
  });

  test.each([
    { step: "its commit", leave: () => {} },
    {
      step: "the old file was let go of",
      leave: (folder: string) => rmSync(join(folder, `${first}-wal`), { force: true }),
    },
    { step: "the old file was taken away", leave: (folder: string) => rmSync(join(folder, first)) },
    {
      step: "the old file was taken away, but for its log,",
      leave: (folder: string) => renameSync(join(folder, first), join(folder, `${first}-wal`)),
    },
  ])("after $step has happened", async ({ leave }) => {
    const folder = await filled();
    copyFileSync(await renewed(), join(folder, next));
    leave(folder);
    const store = opened(folder);
    expect([await idsIn(store), store.setting("colour"), filesIn(folder)]).toEqual([[], "green", [next]]);
    expect(readdirSync(folder)).not.toContain(`${first}-wal`);
  });

  test("at any moment left one life or the next, whole", async () => {
    const folder = temporaryFolder();
    const script = new URL("./resetting.ts", import.meta.url).pathname;
    for (const wait of [20, 45, 70, 110, 160]) {
      const child = spawn(process.execPath, [script, folder], { stdio: ["ignore", "pipe", "inherit"] });
      const said = text(child.stdout);
      await once(child.stdout, "data");
      setTimeout(() => child.kill("SIGKILL"), wait);
      const told = Number((await said).trim().split("\n").at(-1));
      const store = openSqlite({ folder, numberIn });
      const life = Number(store.setting("life"));
      expect([told, told + 1]).toContain(life);
      const ids = await idsIn(store);
      expect([0, 20]).toContain(ids.length);
      expect(ids.filter((id) => !id.startsWith(`${life}-`))).toEqual([]);
      expect(filesIn(folder)).toHaveLength(1);
      await store.close();
    }
  }, 30_000);
});

test("of many resets one file is left, and it is opened again", async () => {
  const folder = await filled();
  const store = openSqlite({ folder, numberIn });
  for (const id of ["one", "two", "three"]) {
    await store.reset(emptyState);
    await store.accept(taking([sentMessage(id)]));
  }
  await store.close();
  expect(filesIn(folder)).toEqual(["sandbox.generation-3.db"]);
  expect(await idsIn(opened(folder))).toEqual(["three"]);
});

test("while a store is reset, the folder stays its own", async () => {
  const folder = await filled();
  const store = opened(folder);
  await store.reset(emptyState);
  expect(() => openSqlite({ folder, numberIn })).toThrow("is in use by another sandbox");
  await store.reset(emptyState);
  expect(() => openSqlite({ folder, numberIn })).toThrow("is in use by another sandbox");
});

test("a reset that fails changes nothing", async () => {
  const folder = await filled();
  const store = opened(folder);
  mkdirSync(join(folder, next));
  await expect(store.reset(emptyState)).rejects.toThrow(next);
  await store.accept(taking([sentMessage("late")]));
  expect(await idsIn(store)).toEqual(["late", "early"]);
});

test("a folder from before there were several files in it is opened", async () => {
  const folder = await filled();
  rmSync(join(folder, "sandbox.lock"));
  expect(await idsIn(opened(folder))).toEqual(["early"]);
});

test("files of other names are left alone", async () => {
  const folder = await filled();
  const names = [
    "sandbox.generation-0.db",
    "sandbox.generation-7.db.copy",
    "my-sandbox.db",
    "sandbox.db.bak",
  ];
  for (const name of names) writeFileSync(join(folder, name), "mine");
  const store = openSqlite({ folder, numberIn });
  await store.reset(emptyState);
  await store.close();
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([...names, next]));
});
