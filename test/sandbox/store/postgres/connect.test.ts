import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { UserError } from "../../../../lib/user-error.ts";
import { openPostgres } from "../../../../sandbox/store/postgres/open.ts";
import { runSandbox } from "../../serve/process.ts";
import { newDatabase } from "./cluster.ts";
import { startNetworkServer, startPasswordServer, unusedPort } from "./network-server.ts";

const failure = async (url: string): Promise<UserError> => {
  const error = await openPostgres(url, { timeout: 0 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  return error as UserError;
};

function variables(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test.each([
  "mysql://user:secret@localhost/db",
  "postgres//user:secret@localhost",
  "secret",
  "postgres:a:secret",
])("an invalid URL is rejected without quoting it: %s", async (url) => {
  const error = await failure(url);
  expect(`${error.message} ${error.hint} ${error.stack}`).not.toContain("secret");
});

test("a typing error in a URL is quoted, with what is known", async () => {
  const { message } = await failure("postgres:embeded");
  expect(message).toBe('the location of the data is not the URL of a database (got "postgres:embeded")');
});

test("the error of a database that cannot be reached has no password", async () => {
  const { message, hint, stack } = await failure("postgres://ada:secret@127.0.0.1:1/mail");
  expect(message).toBe(
    "the database postgres://ada@127.0.0.1:1/mail cannot be reached: connect ECONNREFUSED 127.0.0.1:1",
  );
  expect(`${message} ${hint} ${stack}`).not.toContain("secret");
});

test("a wrong password, a missing one and a missing database are told apart", async () => {
  const { url } = await startPasswordServer();
  const shown = new URL(url);
  const of = (password: string): string => url.replace("ada@", `ada:${password}@`);
  const wrong = await failure(of("wrong%20word"));
  expect(wrong.message).toBe(
    `the database ${shown} rejects the password: password authentication failed for user "ada"`,
  );
  const missing = await failure(url);
  expect([missing.message, missing.hint]).toEqual([
    `there is no password for the database ${shown}`,
    "Set PGPASSWORD, or PGPASSFILE.",
  ]);
  variables({ PGPASSWORD: "" });
  expect((await failure(url)).message).toBe(missing.message);
  variables({ PGPASSWORD: "secret" });
  const database = new URL(url);
  database.pathname = "nothing";
  expect((await failure(database.href)).message).toBe(`the database ${database} does not exist`);
  expect((await failure(url)).message).toMatch(/^the user of the database .* may not create tables: /);
});

test("a server without TLS is not used where TLS is wanted", async () => {
  const { url } = await startPasswordServer();
  variables({ PGSSLMODE: "require", PGPASSWORD: "secret" });
  expect((await failure(url)).message).toMatch(/ cannot be encrypted: .*does not support SSL/);
});

test.each(["verfy-full", "bogus"])(
  "the TLS mode %s is rejected, as a variable and in the URL",
  async (mode) => {
    const hint = /disable, no-verify, prefer, require, verify-ca, verify-full/;
    expect(await failure(`postgres://ada@127.0.0.1:1/mail?sslmode=${mode}`)).toMatchObject({
      message: `sslmode is invalid (got "${mode}")`,
      hint: expect.stringMatching(hint),
    });
    variables({ PGSSLMODE: mode });
    expect((await failure("postgres://ada@127.0.0.1:1/mail")).message).toBe(
      `PGSSLMODE is invalid (got "${mode}")`,
    );
  },
);

test("a URL without a user is shown without one", async () => {
  variables({ USER: "", PGUSER: "" });
  expect((await failure("postgres://127.0.0.1:1/mail")).message).toMatch(
    "the database postgres://127.0.0.1:1/mail cannot be reached: ",
  );
});

test("the command says at once that the password is missing, and warns of nothing else", async () => {
  const { url } = await startPasswordServer();
  variables({ PGPASSWORD: "" });
  const sandbox = runSandbox("--port", "0", "--data", `${url}?sslmode=disable`);
  const start = performance.now();
  expect(await sandbox.ended).toBe(2);
  expect(performance.now() - start).toBeLessThan(25_000);
  expect(sandbox.errors()).toMatch(/^error: there is no password for the database/);
});

test("a database that starts later is waited for, and the log says so once", async () => {
  const port = await unusedPort();
  const errors: unknown[] = [];
  const opening = openPostgres(`postgres://sandbox@127.0.0.1:${port}/postgres`, {
    onError: (error) => errors.push(error),
  });
  await wait(300);
  await startNetworkServer(port, "trust");
  const stores = await opening;
  expect(errors.map(String)).toEqual([
    expect.stringMatching(/cannot be reached yet: .*ECONNREFUSED.*; trying again for 30 seconds$/),
  ]);
  await stores.close();
});

test("the URL for people has neither the password nor options", async () => {
  const url = new URL(await newDatabase());
  url.searchParams.set("application_name", "secret");
  const stores = await openPostgres(url.href);
  expect(stores.shown).toBe(url.href.replace(url.search, ""));
  await stores.close();
});
