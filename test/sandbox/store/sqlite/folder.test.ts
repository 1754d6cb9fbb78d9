import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { UserError } from "../../../../lib/user-error.ts";
import { openStores } from "../../../../sandbox/store/open.ts";
import { openSqlite } from "../../../../sandbox/store/sqlite/store.ts";
import { numberIn } from "../numbers.ts";
import { named, noon, scheduledMessage, sentMessage, setSetting, taking } from "../records.ts";
import { opened, temporaryFolder } from "../sample.ts";

const tried = (folder: string): unknown => {
  try {
    return opened(folder);
  } catch (error) {
    return error;
  }
};

const contact = {
  accountId: "acc_one",
  email: "ada@example.org",
  firstName: "Ada",
  lastName: null,
  fields: { size: 4 },
  tags: ["vip"],
  marketingBlocked: false,
  memberships: [],
};

test("everything is there again after closing and opening", async () => {
  const folder = join(temporaryFolder(), "made", "on", "the", "way");
  const store = openSqlite({ folder, numberIn });
  await store.accept(taking([scheduledMessage("sched_1", noon + 5), sentMessage("msg_2")], named("order-1")));
  await store.suppress("acc_one", "gone@example.org", "bounced", noon);
  await store.suppress("acc_one", "back@example.org", "bounced", noon);
  expect(await store.unsuppress("acc_one", "back@example.org")).toBe(true);
  expect(await store.unsuppress("acc_one", "back@example.org")).toBe(false);
  await store.changeContact({
    accountId: "acc_one",
    email: contact.email,
    now: noon,
    idempotency: null,
    decide: () => ({ contact, response: { status: 201, body: "" }, result: null }),
  });
  await setSetting(store, "colour", "green");
  const request = {
    ...{ requestId: "req_1", accountId: "acc_one", method: "GET", path: "/", status: 200 },
    ...{ errorType: null, fields: [], at: noon },
  };
  store.logRequest(request, store.generation);
  const number = store.nextSequence();
  await store.close();

  const again = opened(folder);
  expect(await again.message("acc_one", "sched_1")).toEqual(scheduledMessage("sched_1", noon + 5));
  expect(await again.recall(named("order-1"), noon)).toMatchObject({ response: { status: 202 } });
  expect(await again.suppressions("acc_one")).toEqual([
    { address: "gone@example.org", reason: "bounced", at: noon },
  ]);
  expect(await again.contact("acc_one", contact.email)).toEqual(contact);
  expect(await again.used("acc_one", noon)).toBe(2);
  expect(await again.nextDue()).toBe(noon + 5);
  expect(again.setting("colour")).toBe("green");
  expect(await again.loggedRequest("req_1")).toMatchObject({ method: "GET" });
  expect(again.nextSequence()).toBe(number + 1);
});

test("two names with the same digest are told apart after closing and opening too", async () => {
  const folder = temporaryFolder();
  const store = openSqlite({ folder, numberIn });
  const names = ["costarring", "liquid"].map((key) => named(key, { scope: "" }));
  for (const [index, name] of names.entries()) {
    await store.accept(taking([sentMessage(`msg_${index}`)], name));
  }
  await store.close();
  const again = opened(folder);
  for (const name of names) {
    expect(await again.recall(name, noon)).toMatchObject({ fingerprint: name.fingerprint });
  }
});

test("a second store on the same folder is rejected, with what to do; after the first is closed it opens", async () => {
  const folder = temporaryFolder();
  const first = openSqlite({ folder, numberIn });
  const rejected = tried(folder) as UserError;
  expect(rejected).toBeInstanceOf(UserError);
  expect(rejected.message).toBe(`the data folder ${folder} is in use by another sandbox`);
  expect(rejected.hint).toContain("--data");
  await first.accept(taking([sentMessage("msg_1")]));
  await first.close();
  expect(await opened(folder).messages({ limit: 10 })).toHaveLength(1);
});

test("a second process on the same folder is rejected, and does no harm", async () => {
  const folder = temporaryFolder();
  const store = opened(folder);
  await store.accept(taking([sentMessage("msg_1")]));
  const module = new URL("../../../../sandbox/store/sqlite/store.ts", import.meta.url).href;
  const script = `import { openSqlite } from ${JSON.stringify(module)}; openSqlite({ folder: ${JSON.stringify(folder)} });`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain("is in use by another sandbox");
  expect(await store.accept(taking([sentMessage("msg_2")]))).toMatchObject({ used: 2 });
});

/** Writes a database with a table, and whatever marks it. */
function writeDatabase(file: string, marks: string): void {
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE message (a); ${marks}`);
  database.close();
}

test.each([
  {
    what: "a file that is no database",
    write: (file: string) => writeFileSync(file, "x".repeat(4_096)),
    says: "is not a database",
  },
  {
    what: "the database of another program",
    write: (file: string) => writeDatabase(file, ""),
    says: "belongs to another program",
  },
  {
    what: "tables of a newer version",
    write: (file: string) =>
      writeDatabase(file, "PRAGMA application_id = 0x6d61696c; PRAGMA user_version = 99"),
    says: "was written by a newer version",
  },
  {
    what: "tables of an older version",
    write: (file: string) =>
      writeDatabase(file, "PRAGMA application_id = 0x6d61696c; PRAGMA user_version = 1"),
    says: "was written by an older version",
  },
  {
    what: "a folder in place of the file",
    write: (file: string) => mkdirSync(file),
    says: "cannot be opened",
  },
])("$what is rejected and left alone", ({ write, says }) => {
  const folder = temporaryFolder();
  const file = join(folder, "sandbox.db");
  write(file);
  const before = statSync(file).mtimeMs;
  const rejected = tried(folder) as UserError;
  expect(rejected).toBeInstanceOf(UserError);
  expect(rejected.message).toContain(says);
  expect(rejected.hint).not.toBe("");
  expect(statSync(file).mtimeMs).toBe(before);
});

test("a folder that cannot be created is rejected", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect((tried(join(file, "data")) as UserError).message).toContain("is not writable");
  expect((tried(file) as UserError).message).toBe(`the data folder ${file} is not a folder, but a file`);
  expect((tried("") as UserError).message).toBe("the name of the data folder is empty");
});

test("what was confirmed exists after kill -9, and no number is used twice", async () => {
  const folder = temporaryFolder();
  const child = new URL("./killed.ts", import.meta.url).pathname;
  const output = execFileSync("/bin/sh", ["-c", `"${process.execPath}" "${child}" "${folder}" || true`], {
    encoding: "utf8",
  });
  const { ids, last } = JSON.parse(output);
  expect(ids).toHaveLength(50);
  const store = opened(folder);
  const kept = (await store.messages({ limit: 1_000 })).map((message) => message.id);
  expect(kept.reverse()).toEqual(ids);
  expect(store.nextSequence()).toBeGreaterThan(last);
});

test.each([
  ["mysql://sandbox:secret@db.example/sandbox", "--data cannot be a URL with the scheme mysql"],
  ["file:///tmp/sandbox", "--data cannot be a URL with the scheme file"],
  [
    "postgres//sandbox:secret@db.example/sandbox",
    "--data looks like the URL of a database, but has no scheme",
  ],
])("%s is no folder, and is not shown", async (data, error) => {
  const failure = await openStores({ data }).catch((error: Error) => error.message);
  expect(failure).toBe(error);
});
