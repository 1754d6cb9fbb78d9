import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { warningsOf } from "../../../sandbox/control/records.ts";
import { relayFailed } from "../../../sandbox/domain/due.ts";
import { compose } from "../../../sandbox/mail/compose.ts";
import { parseSmtpUrl } from "../../../sandbox/mail/smtp.ts";
import { freePort } from "../../free-port.ts";
import { day } from "../rig.ts";
import { file, message } from "./messages.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";
import { type Manners, no, type Received, type SmtpHost, startSmtpHost } from "./smtp-host.ts";

const opened: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of opened.splice(0).reverse()) await end();
});

async function openOffice(smtp: string, settings = {}): Promise<PostOffice> {
  const office = await openPostOffice({ smtp, smtpTimeout: 5_000, ...settings });
  opened.push(office.end);
  return office;
}

/** @param url the URL of the server by its port */
async function open(
  manners: Manners = {},
  url = (port: number) => `smtp://127.0.0.1:${port}`,
): Promise<{ host: SmtpHost; office: PostOffice }> {
  const host = await startSmtpHost(manners);
  opened.push(host.close);
  return { host, office: await openOffice(url(host.port)) };
}

/** Sends a message, and returns why the server did not accept it, as its event, its warning and the log say. */
async function failureOf(office: PostOffice): Promise<string> {
  await office.send(message());
  await office.clock.advance(0);
  const kept = await office.read("msg_0001");
  const failed = kept.events.filter(({ type }) => type === relayFailed);
  expect(failed).toHaveLength(1);
  const [{ detail } = { detail: "" }] = failed;
  expect(warningsOf(kept)).toEqual([`The SMTP server did not accept the message: ${detail}`]);
  expect(office.errors.map((error) => (error as Error).message)).toEqual([
    `the SMTP server ${office.smtp} did not accept a message, which is not sent again: ${detail}`,
  ]);
  return detail ?? "";
}

function only(received: Received[]): Received {
  const [first] = received;
  if (first === undefined || received.length > 1)
    throw new Error(`the server has ${received.length} messages`);
  return first;
}

describe("a message", () => {
  test("reaches the server as composed, for all recipients", async () => {
    const { host, office } = await open();
    const record = message(
      { to: ["ada@example.org", "Ada@Example.org"], cc: ["cc@example.org"], bcc: ["secret@example.org"] },
      { html: "<p>Grüße</p>", text: ".\n..\nFrom\n", attachments: [file("ü.pdf", "x")] },
    );
    await office.send(record);
    await office.clock.advance(0);
    const { from, to, source } = only(host.received);
    expect({ from, to }).toEqual({
      from: "hello@example.com",
      to: ["Ada@example.org", "cc@example.org", "secret@example.org"],
    });
    expect(source).toBe(Buffer.from(await compose(record)).toString("latin1"));
    expect(source).not.toMatch(/secret|bcc/i);
    expect(office.errors).toEqual([]);
  });

  test("that waits when the sandbox closes is sent before, if the server is fast enough", async () => {
    const { host, office } = await open();
    await office.send(...Array.from({ length: 20 }, (_, n) => message({ id: `msg_${n}` })));
    await office.close();
    expect(host.received).toHaveLength(20);
  });

  test("of before a reset is not sent after it", async () => {
    const { host, office } = await open();
    const before = office.send(...Array.from({ length: 20 }, (_, n) => message({ id: `msg_${n}` })));
    await Promise.all([before, office.reset()]);
    await office.clock.advance(0);
    expect(host.received).toEqual([]);
  });
});

describe("simulated recipients are never sent to", () => {
  const simulated = ["success", "bounce", "complaint", "suppressionlist", "anything", "BOUNCE"].map(
    (name) => `${name}@simulator.example`,
  );

  test("a message to them alone: no connection is made", async () => {
    const { host, office } = await open();
    const addresses = [...simulated, "success@SIMULATOR.Example", "success@simulator.example."];
    for (const [n, address] of addresses.entries())
      await office.send(
        message({ id: `msg_${n}`, to: [address] }),
        message({ id: `copy_${n}`, to: [], cc: [address], bcc: [address] }),
      );
    await office.clock.advance(day);
    expect(host.connections()).toBe(0);
  });

  test("a message that also has other recipients is sent to them only", async () => {
    const { host, office } = await open();
    await office.send(
      message({
        to: ["ada@example.org", "bounce@simulator.example"],
        cc: ["b@sub.simulator.example"],
        bcc: ["success@simulator.example", "simulator.example@example.org"],
      }),
    );
    await office.clock.advance(day);
    expect(host.received.map(({ to }) => to)).toEqual([
      ["ada@example.org", "b@sub.simulator.example", "simulator.example@example.org"],
    ]);
  });
});

describe("an event, a warning and the log say why", () => {
  test("a server rejected a message, which is not sent again", async () => {
    const { host, office } = await open({ message: () => no(451, "4.3.0 Later,\r\nplease") });
    expect(await failureOf(office)).toMatch(/451.*4\.3\.0 Later/);
    await office.clock.advance(2 * day);
    expect(host.connections()).toBe(1);
    expect((await office.read("msg_0001")).status).toBe("delivered");
  });

  test("a server rejected one of its recipients", async () => {
    const { host, office } = await open({
      recipient: (address) => (address.startsWith("gone") ? no(550, "5.1.1 No such user") : undefined),
    });
    await office.send(message({ to: ["ada@example.org", "gone@example.org"] }));
    await office.clock.advance(0);
    expect(host.received.map(({ to }) => to)).toEqual([["ada@example.org"]]);
    expect((await office.read("msg_0001")).events.at(-1)).toMatchObject({
      type: relayFailed,
      detail: expect.stringContaining("550 5.1.1 No such user"),
    });
  });

  test("nothing listens at the URL", async () => {
    expect(await failureOf(await openOffice(`smtp://127.0.0.1:${await freePort()}`))).toContain(
      "ECONNREFUSED",
    );
  });

  test("the connection was lost", async () => {
    const { office } = await open({ recipient: () => "drop" });
    expect(await failureOf(office)).not.toBe("");
  });

  test("a server sent no greeting", async () => {
    const sockets: Socket[] = [];
    const silent = net
      .createServer((socket) => sockets.push(socket.on("error", () => {})))
      .listen(0, "127.0.0.1");
    await once(silent, "listening");
    opened.push(
      () => silent.close(),
      () => sockets.map((socket) => socket.destroy()),
    );
    const { port } = silent.address() as AddressInfo;
    const office = await openOffice(`smtp://127.0.0.1:${port}`, { smtpTimeout: 50 });
    expect(await failureOf(office)).toMatch(/timeout|greeting/i);
  });

  test("the sandbox closed before the server had the others", async () => {
    const host = await startSmtpHost({ message: () => new Promise(() => {}) });
    opened.push(host.close);
    const settings = { smtpTimeout: 200, closeDeadline: 0 };
    const office = await openOffice(`smtp://127.0.0.1:${host.port}`, settings);
    await office.send(...Array.from({ length: 10 }, (_, n) => message({ id: `msg_${n}` })));
    await office.close();
    expect((await office.read("msg_9")).events.at(-1)).toMatchObject({
      type: relayFailed,
      detail: "The sandbox stopped before.",
    });
  });
});

describe("a server with TLS and a self-signed certificate", () => {
  test.each<[string, Manners, (port: number) => string]>([
    ["STARTTLS", { disabledCommands: [] }, (port) => `smtp://127.0.0.1:${port}`],
    ["TLS from the start", { secure: true }, (port) => `smtps://127.0.0.1:${port}`],
  ])("gets nothing, with %s", async (_, manners, url) => {
    const strict = await open(manners, url);
    expect(await failureOf(strict.office)).toMatch(/certificate/);
    expect(strict.host.received).toEqual([]);
    const lax = await open(manners, (port) => `${url(port)}?verify=false`);
    await lax.office.send(message());
    await lax.office.clock.advance(0);
    expect(lax.host.received).toHaveLength(1);
  });
});

test("a server without TLS gets no mail if TLS is required", async () => {
  const { host, office } = await open({}, (port) => `smtp://127.0.0.1:${port}?tls=required`);
  expect(await failureOf(office)).toMatch(/STARTTLS/);
  expect(host.received).toEqual([]);
});

describe("a password", () => {
  const secret = "hunter2-and-more";
  const forms = [
    secret,
    Buffer.from(secret).toString("base64"),
    Buffer.from(`\0ada\0${secret}`).toString("base64"),
  ];

  /** Sends to a server that wants a password. `told` is everything that was printed or kept. */
  async function sendTo(manners: Manners, parameters = ""): Promise<{ host: SmtpHost; told: string }> {
    const printed: unknown[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, "write").mockImplementation((text) => printed.push(text) > 0);
    }
    const { host, office } = await open(
      { allowInsecureAuth: true, authOptional: false, ...manners },
      (port) => `smtp://ada:${secret}@127.0.0.1:${port}${parameters}`,
    );
    await office.send(message());
    await office.clock.advance(0);
    const told = [await office.read("msg_0001"), office.errors, office.smtp, printed]
      .map((each) => inspect(each, { depth: 12, showHidden: true }))
      .join("\n");
    return { host, told };
  }

  test("authenticates, and appears nowhere else", async () => {
    const seen: unknown[] = [];
    const { host, told } = await sendTo({
      onAuth({ username, password }, _, done) {
        seen.push({ username, password });
        done(null, { user: username });
      },
    });
    expect(seen).toEqual([{ username: "ada", password: secret }]);
    expect(host.received).toHaveLength(1);
    for (const form of forms) expect(told).not.toContain(form);
  });

  test("is redacted in the reply of the server", async () => {
    const { host, told } = await sendTo({
      onAuth: (_, __, done) => done(no(535, `5.7.8 Not ${forms.join(" nor ")}`)),
    });
    expect(host.received).toEqual([]);
    expect(told).toContain("Not *** nor *** nor ***");
    for (const form of forms) expect(told).not.toContain(form);
  });

  test("is not sent unencrypted if TLS is required, as it is for another machine", async () => {
    const seen: unknown[] = [];
    const onAuth: Manners["onAuth"] = ({ username }, _, done) => {
      seen.push(username);
      done(null, { user: username });
    };
    const { host } = await sendTo({ onAuth }, "?tls=required");
    expect([seen, host.received]).toEqual([[], []]);
  });
});

const secret = "hünter2 /+@:?";
const withSecret = `smtps://ada%40example.com:${encodeURIComponent(secret)}@mail.example.com`;

test.each([
  ["smtp://127.0.0.1:1025", { host: "127.0.0.1", port: 1025 }],
  ["smtp://localhost", { host: "localhost", port: 25 }],
  ["smtp://[::1]:2525/", { host: "::1", port: 2525 }],
  ["smtps://mail.example.com", { host: "mail.example.com", port: 465, secure: true }],
  ["smtp://u:p@mail.example.com:587", { host: "mail.example.com", port: 587, requireTls: true }],
  ["smtp://u:p@127.0.0.1", { host: "127.0.0.1", port: 25 }],
  ["smtp://mail.example.com?tls=required", { host: "mail.example.com", port: 25, requireTls: true }],
  [
    "smtp://u:p@mail.example.com?tls=optional&verify=false",
    { host: "mail.example.com", port: 25, verify: false },
  ],
])("%s is read", (url, wanted) => {
  expect(parseSmtpUrl(url)).toMatchObject({ secure: false, requireTls: false, verify: true, ...wanted });
});

test("user and password are percent-decoded", () => {
  expect(parseSmtpUrl(withSecret).credentials()).toEqual({ user: "ada@example.com", pass: secret });
  expect(parseSmtpUrl("smtp://mail.example.com").credentials()).toBeUndefined();
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
    const shown = [String(server), JSON.stringify(server), inspect(server, { showHidden: true, depth: 9 })];
    for (const form of forms) expect(shown.join()).not.toContain(form);
    expect(String(server)).toBe("smtps://mail.example.com:465");
    expect(String(parseSmtpUrl("smtp://u:p@[::1]:25"))).toBe("smtp://[::1]:25");
  });

  test.each([
    ..."http://u:hunter2@mail.example.com smtp:hunter2 smtp://u:hunter2 u:hunter2/x@y@z".split(" "),
    ...["0", "99999", "25/path", "25?debug=true", "25?tls=hunter2", "25?verify=maybe"].map(
      (rest) => `smtp://u:hunter2@mail.example.com:${rest}`,
    ),
    "smtp://u:hunter2@",
    "smtp://u:hun#ter2@mail.example.com",
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
