import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../../../../lib/user-error.ts";
import { openSqlite } from "../../../../sandbox/store/sqlite/store.ts";
import { numberIn } from "../numbers.ts";
import { emptyState, named, noon, sentMessage, taking } from "../records.ts";
import { opened, temporaryFolder } from "../sample.ts";

/** A folder with several pages of data, closed. @param resets how many resets came before */
async function used(resets = 0): Promise<{ folder: string; file: string }> {
  const folder = temporaryFolder();
  const store = openSqlite({ folder, numberIn });
  for (let count = 0; count < resets; count += 1) await store.reset(emptyState);
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
  await Promise.all(
    numbers.map((number) => store.accept(taking([sentMessage(`msg_${number}`)], named(`order-${number}`)))),
  );
  await store.close();
  const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".db"));
  return { folder, file: join(folder, name) };
}

function rejection(folder: string): UserError {
  try {
    opened(folder);
  } catch (error) {
    if (error instanceof UserError) return error;
  }
  throw new Error("the store was opened");
}

const page = 4096;

function overwrite(file: string, from: number, bytes: number): void {
  const content = readFileSync(file);
  content.fill(0xa5, from, from + bytes);
  writeFileSync(file, content);
}

test.for<[string, (file: string) => void]>([
  ["cut to half its size", (file) => truncateSync(file, statSync(file).size / 2)],
  ["cut in the middle of a page", (file) => truncateSync(file, 2 * page + 100)],
  ["cut to its first page", (file) => truncateSync(file, page)],
  ["cut within its first page", (file) => truncateSync(file, 100)],
  ["emptied", (file) => truncateSync(file, 0)],
  ["overwritten in the middle", (file) => overwrite(file, 5 * page, 2 * page)],
  ["overwritten in its last page", (file) => overwrite(file, statSync(file).size - page, page)],
  ["overwritten after its header", (file) => overwrite(file, 100, page - 100)],
])("a data file that was %s is rejected and left alone", async ([, damage]) => {
  for (const resets of [0, 1]) {
    const { folder, file } = await used(resets);
    damage(file);
    const before = readFileSync(file);
    const { message, hint } = rejection(folder);
    expect(message).toContain(`${file} is damaged: `);
    expect(message).not.toMatch(/\*\*\*|\n/);
    expect(hint).toMatch(/Restore .* or move .*; then .* --data/);
    expect(readFileSync(file).equals(before)).toBe(true);
  }
});

test("a data file that was emptied beside its write-ahead log is rejected, and the log is left alone", async () => {
  const { folder, file } = await used();
  // As a version before this check has left it.
  for (const name of readdirSync(folder)) if (!name.endsWith(".db")) rmSync(join(folder, name));
  writeFileSync(`${file}-wal`, "x".repeat(page));
  truncateSync(file, 0);
  expect(rejection(folder).message).toContain(`${file} is damaged`);
  expect(statSync(`${file}-wal`).size).toBe(page);
});

test("an empty file that a killed first start has left is a new start", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "sandbox.db"), "");
  expect(await opened(folder).messages({ limit: 1 })).toEqual([]);
});

test("a folder whose files were removed is a new start", async () => {
  const { folder, file } = await used();
  rmSync(file);
  expect(await opened(folder).messages({ limit: 1 })).toEqual([]);
});

test("what is in order opens, after a crash too", async () => {
  const { folder } = await used(2);
  const store = opened(folder);
  expect(await store.messages({ limit: 500 })).toHaveLength(200);
  expect(await store.recall(named("order-7"), noon)).toBeDefined();
});
