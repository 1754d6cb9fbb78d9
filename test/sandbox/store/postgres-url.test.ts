import { expect, onTestFinished, test, vi } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { parseDatabaseUrl } from "../../../sandbox/store/sql/postgres-url.ts";

function variables(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

function errorOf(url: string): UserError {
  try {
    parseDatabaseUrl(url);
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return error as UserError;
  }
  throw new Error(`${url} is accepted`);
}

test.each([
  "mysql://user:secret@localhost/db",
  "postgres//user:secret@localhost",
  "secret",
  "postgres:a:secret",
  "postgres://user:secret#1@localhost/db",
  "postgres://user:se%cret@localhost/db",
  "postgres://user:secret?1@localhost/db",
  "postgres://user:secret@localhost:port/db",
  "postgres://user:secret@localhost:99999/db",
])("an invalid URL is rejected without quoting it: %s", (url) => {
  const { message, hint, stack } = errorOf(url);
  expect(`${message} ${hint} ${stack?.split("\n")[0]}`).not.toMatch(/secret|se%cret/);
});

test("the URL for people has neither the password nor options, but what the variables add", () => {
  variables({ PGHOST: "db.example", PGPORT: "6543", PGUSER: "ada", PGDATABASE: "mail" });
  expect(parseDatabaseUrl("postgres://").shown).toBe("postgres://ada@db.example:6543/mail");
  const url = "postgres://eve:secret@127.0.0.1:5432/other?application_name=secret";
  expect(parseDatabaseUrl(url)).toEqual({ url, shown: "postgres://eve@127.0.0.1:5432/other" });
});

test.each([
  ["sslmod", 'the URL of the database has an unsupported option "sslmod"'],
  ["channel_binding", 'the URL of the database has an unsupported option "channel_binding"'],
])("the option %s is rejected: pg would ignore it", (name, message) => {
  expect(errorOf(`postgres://ada@localhost/mail?${name}=require`).message).toBe(message);
});

test("a repeated option is rejected", () => {
  expect(errorOf("postgres://ada@localhost/mail?sslmode=require&sslmode=disable").message).toBe(
    'the URL of the database has the option "sslmode" more than once',
  );
});

test.each(["PGPORT", "port"])("an invalid port is rejected: %s", (name) => {
  if (name === "PGPORT") variables({ PGPORT: "0" });
  const url = `postgres://ada@localhost/mail${name === "port" ? "?port=99999" : ""}`;
  expect(errorOf(url).message).toMatch(/^the port of the database is invalid \(got "(0|99999)"\)$/);
});

test.each(["verfy-full", "bogus"])("the TLS mode %s is rejected, in the URL and as a variable", (mode) => {
  expect(errorOf(`postgres://ada@localhost/mail?sslmode=${mode}`).message).toBe(
    `sslmode is invalid (got "${mode}")`,
  );
  variables({ PGSSLMODE: mode });
  expect(errorOf("postgres://ada@localhost/mail")).toMatchObject({
    message: `PGSSLMODE is invalid (got "${mode}")`,
    hint: expect.stringContaining("disable, no-verify, prefer, require, verify-ca, verify-full"),
  });
});

test.each([
  ["disable", "disable"],
  ["no-verify", "no-verify"],
  ["prefer", "verify-full"],
  ["require", "verify-full"],
  ["verify-ca", "verify-full"],
])("the TLS mode %s means %s", (mode, used) => {
  const modeOf = (url: string) => new URL(parseDatabaseUrl(url).url).searchParams.get("sslmode");
  expect(modeOf(`postgres://ada@localhost/mail?sslmode=${mode}`)).toBe(used);
  variables({ PGSSLMODE: mode });
  expect(modeOf("postgres://ada@localhost/mail")).toBe(used);
  expect(modeOf("postgres://ada@%2Fvar%2Frun/mail")).toBe("disable");
});
