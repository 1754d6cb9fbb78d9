import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFolder } from "../../../sandbox/mail/folder.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { openStore } from "../../../sandbox/store/open.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const before = process.cwd();
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  process.chdir(folder);
});
afterEach(() => process.chdir(before));

const connections = [
  "jdbc:postgresql://ada:qzxvPass@host/db",
  "jdbc:sqlite:qzxvPass",
  "mysql://ada:qzxvPass@host/db",
  "redis:qzxvPass",
  "ada:qzxvPass@host/db",
  "ada_b:qzxv@Pass@host:5432/db",
  "//ada:qzxvPass@host/db",
  "host=a password=qzxvPass dbname=b",
  "Server=a;User=b;Pwd=qzxvPass",
  "Server=a;Uid=b;Pass=qzxvPass",
  "user=a;passwd=qzxvPass",
  "ada/qzxvPass@host",
  "qzxvPass@host:5432/db",
  "libsql.example.com?authToken=qzxvPass",
];

describe("what is the URL of something does not become a folder, and no message shows it", () => {
  it.each(connections)("--data %s", async (data) => {
    const error = await openStore({ data }).then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining("--data looks like a URL") });
    expect(JSON.stringify([error?.message, (error as { hint?: string }).hint])).not.toContain("qzxv");
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(connections)("--outbox %s", async (outbox) => {
    const error = await openFolder(outbox, new MemoryStore(), () => {}).then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("--outbox looks like a URL"),
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

it.each(["data", "./a:b@c", "./data@2026?a=b;c", "a/b:c", "my data"])(
  "the folder %s is created",
  async (data) => {
    const { store } = await openStore({ data });
    await store.close();
    expect(readdirSync(folder)).toHaveLength(1);
  },
);
