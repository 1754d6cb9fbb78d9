import { inspect } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { message } from "./messages.ts";
import { openPostOffice } from "./post-office.ts";
import { type Manners, no, type SmtpHost, startSmtpHost } from "./smtp-host.ts";

const secret = "hunter2-and-more";
const forms = [
  secret,
  Buffer.from(secret).toString("base64"),
  Buffer.from(`\0ada\0${secret}`).toString("base64"),
];
const day = 24 * 60 * 60 * 1000;
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of opened.splice(0).reverse()) await end();
});

/** A server that wants a password, and everything that was printed or kept while a message was on its way to it. */
async function sendTo(
  manners: Manners,
  password = secret,
): Promise<{ host: SmtpHost; status: string; told: string }> {
  const printed: unknown[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => printed.push(text) > 0);
  }
  const host = await startSmtpHost({ allowInsecureAuth: true, authOptional: false, ...manners });
  const office = await openPostOffice({ smtp: `smtp://ada:${password}@127.0.0.1:${host.port}` });
  opened.push(host.close, office.end);
  await office.send(message());
  await office.clock.advance(2 * day);
  const kept = await office.read("msg_0001");
  const told = [kept, office.errors, office.smtp, office, printed]
    .map((each) => inspect(each, { depth: 12, showHidden: true }))
    .join("\n");
  return { host, status: kept.status, told };
}

test("user and password authenticate, and appear nowhere else", async () => {
  const seen: unknown[] = [];
  const { host, status, told } = await sendTo({
    onAuth({ username, password }, _, done) {
      seen.push({ username, password });
      done(null, { user: username });
    },
  });
  expect(seen).toEqual([{ username: "ada", password: secret }]);
  expect({ status, taken: host.received.length }).toEqual({ status: "delivered", taken: 1 });
  for (const form of forms) expect(told).not.toContain(form);
});

test("a password in the reply to a failed login is redacted", async () => {
  const { host, status, told } = await sendTo({
    onAuth: (_, __, done) => done(no(535, `5.7.8 Not ${forms.join(" nor ")}`)),
  });
  expect({ status, taken: host.received.length }).toEqual({ status: "bounced", taken: 0 });
  expect(told).toContain("535 5.7.8 Not *** nor *** nor ***");
  for (const form of forms) expect(told).not.toContain(form);
});

test("a password in the reply to a rejected message is redacted", async () => {
  const { status, told } = await sendTo({
    onAuth: ({ username }, _, done) => done(null, { user: username }),
    recipient: () => no(550, `5.1.1 ${forms.join(" ")}`),
  });
  expect(status).toBe("bounced");
  for (const form of forms) expect(told).not.toContain(form);
});

test("a password is not sent unencrypted to another machine", async () => {
  const seen: unknown[] = [];
  const host = await startSmtpHost({
    allowInsecureAuth: true,
    onAuth({ username }, _, done) {
      seen.push(username);
      done(null, { user: username });
    },
  });
  const office = await openPostOffice({ smtp: `smtp://ada:${secret}@127.0.0.1:${host.port}?tls=required` });
  opened.push(host.close, office.end);
  await office.send(message());
  await office.clock.advance(2 * day);
  expect({ seen, taken: host.received.length, status: (await office.read("msg_0001")).status }).toEqual({
    seen: [],
    taken: 0,
    status: "bounced",
  });
});
