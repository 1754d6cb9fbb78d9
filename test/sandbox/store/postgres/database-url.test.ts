import { expect, onTestFinished, test, vi } from "vitest";
import type { UserError } from "../../../../lib/user-error.ts";
import { clientOptions } from "../../../../sandbox/store/postgres/connections.ts";
import { parseDatabaseUrl } from "../../../../sandbox/store/postgres/database-url.ts";

function failure(url: string): UserError {
  try {
    parseDatabaseUrl(url);
  } catch (error) {
    return error as UserError;
  }
  throw new Error("accepted");
}

test.each([
  ["postgres://ada:sec#ret@db.example/mail", "the URL of the database has a # that is not encoded", "%23"],
  ["postgres://ada:12#ret@db.example/mail", "the URL of the database has a # that is not encoded", "%23"],
  ["postgres://ada:ret%zz@db.example/mail", "the URL of the database has a malformed %-escape", "%25"],
  ["postgres://ada:ret%ff@db.example/mail", "the URL of the database has a malformed %-escape", "%25"],
  [
    "postgres://ada:p@ss?ret@db.example/mail",
    "the URL of the database has a ? that is not encoded, or an invalid option",
    "%3F",
  ],
])(
  "a character of a password that is not encoded is named, without the password: %s",
  (url, message, correction) => {
    const error = failure(url);
    expect(error.message).toBe(message);
    expect(error.hint).toContain(correction);
    expect(`${error.hint} ${error.stack}`).not.toContain("ret");
  },
);

test.each(["ada:secret@db.example", "db.example", "[::1]", "ada:secret@[::1]"])(
  "a port that is too large is rejected: %s",
  (host) => {
    const { message, hint } = failure(`postgres://${host}:99999/mail?application_name=a`);
    expect([message, hint]).toEqual([
      "the port in the URL of the database is invalid",
      "Use a number from 1 to 65535.",
    ]);
  },
);

test("what may be a password is not taken for a port", () => {
  const { message } = failure("postgres://ada:99999/secret@db.example/mail");
  expect(message).toBe("the location of the data is not the URL of a database");
});

test("a port that is none is rejected with its value, wherever it is from", () => {
  expect(failure("postgres://db.example:0/mail").message).toBe('the port in the URL is invalid (got "0")');
  expect(failure("postgres://db.example/mail?port=99999").message).toBe('port is invalid (got "99999")');
  vi.stubEnv("PGPORT", "abc");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(failure("postgres://db.example/mail").message).toBe('PGPORT is invalid (got "abc")');
  expect(parseDatabaseUrl("postgres://db.example:6543/mail").shown).toContain(":6543/");
});

test("an unsupported option is rejected, with those that there are", () => {
  const { message, hint } = failure("postgres://ada:secret@db.example/mail?sslmod=verify-full");
  expect(message).toBe('the URL of the database has an unsupported option "sslmod"');
  expect(hint).toMatch(/connect_timeout, host, .*sslmode/);
  expect(failure("postgres://db.example/mail?constructor=1").message).toContain('option "constructor"');
});

test.each([
  "port=5432&port=99999",
  "port=5432&port=5433",
  "sslmode=disable&sslmode=require",
  "connect_timeout=5&connect_timeout=6",
])("an option that is given twice is rejected: %s", (options) => {
  const { message, hint } = failure(`postgres://ada:secret@db.example/mail?${options}`);
  const [name] = options.split("=");
  expect(message).toBe(`the URL of the database has the option "${name}" more than once`);
  expect(hint).toBe("Remove all but one.");
});

test("no attempt to connect takes longer than the time that is left", () => {
  const url = "postgres://db.example/mail?connect_timeout=30";
  expect(clientOptions(url, 2_000).connectionTimeoutMillis).toBe(2_000);
  expect(clientOptions(url, 60_000).connectionTimeoutMillis).toBe(30_000);
});

test("the usual options of hosted databases are accepted", () => {
  const options = "channel_binding=prefer&connect_timeout=12&target_session_attrs=read-write";
  const { url } = parseDatabaseUrl(`postgres://ada@db.example/mail?${options}`);
  expect(clientOptions(url).connectionTimeoutMillis).toBe(12_000);
  expect(clientOptions("postgres://db.example/mail").connectionTimeoutMillis).toBe(5_000);
});

test.each([
  ["channel_binding", "require", /pg cannot require it/],
  ["connect_timeout", "0", /seconds from 1 to 30/],
  ["connect_timeout", "31", /seconds from 1 to 30/],
  ["connect_timeout", "soon", /seconds from 1 to 30/],
  ["target_session_attrs", "standby", /the sandbox writes/],
])("%s=%s is rejected with the reason", (name, value, reason) => {
  const { message, hint } = failure(`postgres://db.example/mail?${name}=${value}`);
  expect(message).toBe(`${name} is unsupported (got "${value}")`);
  expect(hint).toMatch(reason);
});
