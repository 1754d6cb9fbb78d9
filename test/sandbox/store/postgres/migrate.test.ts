import { expect, test } from "vitest";
import { UserError } from "../../../../lib/user-error.ts";
import { readAddress } from "../../../../sandbox/store/postgres/address.ts";
import { migrate } from "../../../../sandbox/store/postgres/migrate.ts";
import { openPostgres } from "../../../../sandbox/store/postgres/open.ts";
import { newDatabase, onServer } from "./cluster.ts";

const failure = (url: string): Promise<unknown> => openPostgres(url).catch((error: unknown) => error);

test("several instances that start at the same time create the tables once", async () => {
  const address = readAddress(await newDatabase());
  await Promise.all([1, 2, 3, 4].map(() => migrate(address)));
  await onServer(async (client) => {
    const { rows } = await client.query("SELECT version FROM email_sandbox.migration");
    expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
  }, address.url);
});

test("a database of a newer version is not touched", async () => {
  const url = await newDatabase();
  await migrate(readAddress(url));
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
  await migrate(readAddress(url));
  const other = await newDatabase();
  await onServer(
    (client) => client.query("CREATE SCHEMA email_sandbox CREATE TABLE invoice (a text)"),
    other,
  );
  expect(String(await failure(other))).toMatch(/has tables of another program/);
});
