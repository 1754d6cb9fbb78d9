import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { parseSmtpUrl } from "../../../sandbox/mail/smtp.ts";

const secret = "hünter2 /+@:?";
const withSecret = `smtps://ada%40example.com:${encodeURIComponent(secret)}@mail.example.com`;

test.each([
  [
    "smtp://127.0.0.1:1025",
    { host: "127.0.0.1", port: 1025, secure: false, requireTls: false, verify: true },
  ],
  ["smtp://localhost", { host: "localhost", port: 25, secure: false, requireTls: false, verify: true }],
  ["smtp://[::1]:2525/", { host: "::1", port: 2525, secure: false, requireTls: false, verify: true }],
  [
    "smtps://mail.example.com",
    { host: "mail.example.com", port: 465, secure: true, requireTls: false, verify: true },
  ],
  [
    "smtp://u:p@mail.example.com:587",
    { host: "mail.example.com", port: 587, secure: false, requireTls: true, verify: true },
  ],
  ["smtp://u:p@127.0.0.1", { host: "127.0.0.1", port: 25, secure: false, requireTls: false, verify: true }],
  [
    "smtp://mail.example.com?tls=required",
    { host: "mail.example.com", port: 25, secure: false, requireTls: true, verify: true },
  ],
  [
    "smtp://u:p@mail.example.com?tls=optional&verify=false",
    { host: "mail.example.com", port: 25, secure: false, requireTls: false, verify: false },
  ],
])("%s is read", (url, wanted) => {
  const { host, port, secure, requireTls, verify } = parseSmtpUrl(url);
  expect({ host, port, secure, requireTls, verify }).toEqual(wanted);
});

test("user and password are percent-decoded", () => {
  expect(parseSmtpUrl(withSecret).credentials).toEqual({ user: "ada@example.com", pass: secret });
  expect(parseSmtpUrl("smtp://mail.example.com").credentials).toBeUndefined();
});

describe("a password is not shown", () => {
  const forms = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
    Buffer.from(`\0ada@example.com\0${secret}`).toString("base64"),
  ];

  test("in any printed form of the server", () => {
    const server = parseSmtpUrl(withSecret);
    const shown = [
      String(server),
      JSON.stringify(server),
      inspect(server, { showHidden: true, depth: 9 }),
      `${server}`,
    ].join("\n");
    for (const form of forms) expect(shown).not.toContain(form);
    expect(String(server)).toBe("smtps://mail.example.com:465");
    expect(String(parseSmtpUrl("smtp://u:p@[::1]:25"))).toBe("smtp://[::1]:25");
  });

  test("in a redacted text", () => {
    const server = parseSmtpUrl(withSecret);
    for (const form of forms) expect(server.redact(`535 no: ${form}!`)).toBe("535 no: ***!");
    expect(parseSmtpUrl("smtp://mail.example.com").redact("535 no")).toBe("535 no");
  });

  test.each([
    ...[
      "http://u:hunter2@mail.example.com",
      "smtp:hunter2",
      "smtp://u:hunter2",
      "u:hunter2/x@y@z",
      "smtp://u:hunter2@mail.example.com:0",
      "smtp://u:hunter2@mail.example.com:99999",
    ],
    ...[
      "smtp://u:hunter2@",
      "smtp://u:hunter2@mail.example.com/path",
      "smtp://u:hunter2@mail.example.com?debug=true",
      "smtp://u:hunter2@mail.example.com?tls=hunter2",
    ],
    ...["smtp://u:hunter2@mail.example.com?verify=maybe", "smtp://u:hun#ter2@mail.example.com"],
  ])("in the error for %s", (url) => {
    const error = errorOf(url);
    expect(error).toBeInstanceOf(UserError);
    expect([error.message, error.hint, error.stack, inspect(error)].join()).not.toMatch(/hunter2|hun#ter2/);
  });
});

test.each([
  ["foo", "foo"],
  ["", ""],
  ["http://127.0.0.1:1025", "http://127.0.0.1:1025"],
  ["smtp://u:hunter2@mail.example.com:0", "smtp://***@mail.example.com:0"],
  ["mail.example.com:587?x=hunter2", "mail.example.com:587"],
])("the error for %j says so, without user and password", (url, shown) => {
  expect(errorOf(url).message).toBe(`the URL of the SMTP server is invalid (got ${JSON.stringify(shown)})`);
});

function errorOf(url: string): UserError {
  try {
    parseSmtpUrl(url);
  } catch (error) {
    return error as UserError;
  }
  throw new Error(`${url} was read`);
}
