import { expect, test } from "vitest";
import { UserError } from "../../../../lib/user-error.ts";
import { parseDatabaseUrl } from "../../../../sandbox/store/postgres/database-url.ts";
import { migrate, migrationLock } from "../../../../sandbox/store/postgres/migrate.ts";
import { openPostgres } from "../../../../sandbox/store/postgres/open.ts";
import { migrations } from "../../../../sandbox/store/postgres/schema.ts";
import { newDatabase, onServer } from "./cluster.ts";

const failure = (url: string): Promise<unknown> => openPostgres(url).catch((error: unknown) => error);

test("several instances that start at the same time create the tables once", async () => {
  const address = parseDatabaseUrl(await newDatabase());
  await Promise.all([1, 2, 3, 4].map(() => migrate(address)));
  await onServer(async (client) => {
    const { rows } = await client.query("SELECT version FROM email_sandbox.migration");
    expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
  }, address.url);
});

test("a database of the first version keeps its claims and its request log", async () => {
  const url = await newDatabase();
  const relay = { state: "sending", holder: "one", heldUntil: 7 };
  await onServer(async (client) => {
    await client.query("CREATE SCHEMA email_sandbox; SET search_path = email_sandbox");
    await client.query("CREATE TABLE migration (version integer PRIMARY KEY, applied_at timestamptz)");
    await client.query(`${migrations[0]}; INSERT INTO migration VALUES (1)`);
    await client.query(
      `INSERT INTO message (epoch, id, account, listed, status, created_at, due_at, envelope, progress, content)
        VALUES (1, 'msg_1', 'acc', true, 'sent', 1, 9, '{}', $1, '{}'), (1, 'msg_2', 'acc', true, 'sent', 1, 9, '{}', '{}', '{}')`,
      [JSON.stringify({ relay })],
    );
    await client.query("INSERT INTO request VALUES (1, 'req_1', 'acc', 'GET', '/', 200, NULL, '[]', 5)");
  }, url);
  await migrate(parseDatabaseUrl(url));
  await onServer(async (client) => {
    const { rows } = await client.query(
      "SELECT id, holder, held_until FROM email_sandbox.message ORDER BY id",
    );
    expect(rows).toEqual([
      { id: "msg_1", holder: "one", held_until: "7" },
      { id: "msg_2", holder: null, held_until: null },
    ]);
    const requests = await client.query("SELECT logged_at FROM email_sandbox.request");
    expect(requests.rows).toEqual([{ logged_at: "5000" }]);
  }, url);
});

test("a database of a newer version is not touched", async () => {
  const url = await newDatabase();
  await migrate(parseDatabaseUrl(url));
  await onServer((client) => client.query("INSERT INTO email_sandbox.migration VALUES (99)"), url);
  const error = await failure(url);
  expect(error).toBeInstanceOf(UserError);
  expect(String(error)).toMatch(/belongs to a newer version of the sandbox/);
});

test("tables of another program are not touched, and those in other schemas do not matter", async () => {
  const url = await newDatabase();
  await onServer(async (client) => {
    await client.query("CREATE TABLE public.message (a text); CREATE SCHEMA email_sandbox");
  }, url);
  await migrate(parseDatabaseUrl(url));
  const other = await newDatabase();
  await onServer(
    (client) => client.query("CREATE SCHEMA email_sandbox CREATE TABLE invoice (a text)"),
    other,
  );
  expect(String(await failure(other))).toMatch(/has tables of another program/);
});

test("an instance that waits for another one to update the tables says so", async () => {
  const url = await newDatabase();
  const notices: unknown[] = [];
  let waiting: Promise<void> | undefined;
  await onServer(async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    waiting = migrate(parseDatabaseUrl(url), { onError: (notice) => notices.push(notice) });
    await expect.poll(() => notices.map(String), { timeout: 3_000 }).toHaveLength(1);
  }, url);
  await waiting;
  expect(String(notices)).toMatch(/another instance is creating or updating the tables .*; waiting for it$/);
});
