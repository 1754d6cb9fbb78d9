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
    expect(rows).toEqual([{ version: 1 }]);
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

test.each(["mysql://user:secret@localhost/db", "postgres//user:secret@localhost", "secret"])(
  "an invalid URL is rejected without quoting it: %s",
  async (url) => {
    const error = (await failure(url)) as UserError;
    expect(error).toBeInstanceOf(UserError);
    expect(`${error.message} ${error.hint} ${error.stack}`).not.toContain("secret");
  },
);

test("the error of a database that cannot be reached has no password", async () => {
  const error = (await failure("postgres://ada:secret@127.0.0.1:1/mail")) as UserError;
  expect(error.message).toMatch(/^the database postgres:\/\/ada@127\.0\.0\.1:1\/mail cannot be reached: /);
  expect(`${error.message} ${error.hint} ${error.stack}`).not.toContain("secret");
});

test("a wrong password is reported without it", async () => {
  const url = new URL(await newDatabase());
  url.password = "secret";
  const error = (await failure(url.href)) as UserError;
  expect(error.message).toMatch(/password authentication failed/);
  expect(error.message).not.toContain("secret");
});
