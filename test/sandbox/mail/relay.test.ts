import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { warningsOf } from "../../../sandbox/control/views.ts";
import { compose } from "../../../sandbox/mail/compose.ts";
import { waits } from "../../../sandbox/mail/relay-state.ts";
import { file, message, sentAt } from "./messages.ts";
import { openPostOffice, type PostOffice } from "./post-office.ts";
import { type Manners, no, type Received, readMail, type SmtpHost, startSmtpHost } from "./smtp-host.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of opened.splice(0).reverse()) await end();
});

async function open(
  manners: Manners = {},
  smtp = (url: string) => url,
): Promise<{ host: SmtpHost; office: PostOffice }> {
  const host = await startSmtpHost(manners);
  const office = await openPostOffice({ smtp: smtp(host.url), smtpTimes: { reply: 5_000, whole: 10_000 } });
  opened.push(host.close, office.end);
  return { host, office };
}

function only(received: Received[]): Received {
  const [first] = received;
  if (first === undefined || received.length > 1)
    throw new Error(`the server has ${received.length} messages`);
  return first;
}

const day = 24 * 60 * 60 * 1000;

describe("a relayed message", () => {
  test("reaches the server as composed, for all recipients, and is delivered", async () => {
    const { host, office } = await open();
    const record = message(
      { to: ["ada@example.org", "Ada@Example.org"], cc: ["cc@example.org"], bcc: ["secret@example.org"] },
      { html: "<p>Grüße</p>", text: ".\n..\nFrom\n", attachments: [file("ü.pdf", "x")] },
    );
    await office.send(record);
    await office.clock.advance(0);
    expect(host.received).toHaveLength(1);
    const { from, to, source } = only(host.received);
    expect({ from, to }).toEqual({
      from: "hello@example.com",
      to: ["Ada@Example.org", "cc@example.org", "secret@example.org"],
    });
    expect(source).toBe(Buffer.from(await compose(record)).toString("latin1"));
    expect(source).not.toMatch(/secret|bcc/i);
    expect(await readMail(only(host.received))).toMatchObject({
      subject: "Your receipt",
      html: "<p>Grüße</p>\n",
      attachments: [{ filename: "ü.pdf" }],
    });
    expect(await office.read(record.id)).toMatchObject({
      status: "delivered",
      deliveredAt: sentAt,
      bounce: null,
      dueAt: null,
    });
  });

  test("is relayed at its time if it is scheduled", async () => {
    const { host, office } = await open();
    await office.send(
      message({
        status: "scheduled",
        sentAt: null,
        scheduledAt: sentAt + day,
        dueAt: sentAt + day,
        events: [],
      }),
    );
    await office.clock.advance(day - 1);
    expect(host.connections()).toBe(0);
    await office.clock.advance(1);
    expect(host.received).toHaveLength(1);
    expect(await office.read("msg_0001")).toMatchObject({
      status: "delivered",
      sentAt: sentAt + day,
      deliveredAt: sentAt + day,
    });
  });

  test("is relayed once, however far the clock is advanced", async () => {
    const { host, office } = await open();
    await office.send(...Array.from({ length: 30 }, (_, n) => message({ id: `msg_${n}` })));
    await office.clock.advance(40 * day);
    await office.clock.advance(40 * day);
    expect(new Set(host.received.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1])).size).toBe(30);
    expect(host.received).toHaveLength(30);
  });

  test("can have several megabytes", async () => {
    const { host, office } = await open();
    await office.send(message({}, { attachments: [file("large.bin", Buffer.alloc(5_000_000, "abc"))] }));
    await office.clock.advance(0);
    expect((await readMail(only(host.received))).attachments[0]?.content).toHaveProperty(
      "byteLength",
      5_000_000,
    );
  });
});

describe("simulated recipients are never relayed to", () => {
  const simulated = ["success", "bounce", "complaint", "suppressionlist", "anything", "BOUNCE"].map(
    (name) => `${name}@simulator.example`,
  );

  test.each([...simulated, "success@SIMULATOR.Example", "success@simulator.example."])(
    "a message to %s alone: no connection is made",
    async (address) => {
      const { host, office } = await open();
      await office.send(
        message({ to: [address] }),
        message({ id: "msg_0002", to: [], cc: [address], bcc: [address] }),
      );
      await office.clock.advance(day);
      expect(host.connections()).toBe(0);
      expect((await office.read("msg_0001")).status).not.toBe("sent");
    },
  );

  test("a message that also has other recipients is relayed to them only, and gets the status of the simulated recipient", async () => {
    const { host, office } = await open();
    await office.send(
      message({ to: ["ada@example.org", "bounce@simulator.example"], bcc: ["success@simulator.example"] }),
    );
    await office.clock.advance(day);
    expect(host.received.map(({ to }) => to)).toEqual([["ada@example.org"]]);
    expect((await office.read("msg_0001")).status).toBe("bounced");
  });
});

describe("a server that rejects", () => {
  test("the message: it bounces, with the reply of the server", async () => {
    const { host, office } = await open({ message: () => no(554, "5.7.1 Spam is not\r\nwelcome here") });
    await office.send(message());
    await office.clock.advance(day);
    expect(host.connections()).toBe(1);
    const { status, bouncedAt, bounce, events } = await office.read("msg_0001");
    expect({ status, bouncedAt }).toEqual({ status: "bounced", bouncedAt: sentAt });
    expect(bounce).toMatchObject({
      type: "permanent",
      subtype: "rejected",
      permanent: true,
      diagnostic: expect.stringMatching(/^554 5\.7\.1 Spam is not/),
    });
    expect(events.at(-1)).toEqual({ type: "bounced", at: sentAt, detail: bounce?.diagnostic });
    expect(await office.store.suppressions("acme")).toEqual([]);
  });

  test("an unknown mailbox: the message bounces and the email address is suppressed", async () => {
    const { host, office } = await open({
      recipient: (address) => (address.startsWith("Gone") ? no(550, "5.1.1 No such user") : undefined),
    });
    await office.send(message({ to: ["ada@example.org", "Gone@example.org"] }));
    await office.clock.advance(day);
    expect(host.received.map(({ to }) => to)).toEqual([["ada@example.org"]]);
    expect(await office.read("msg_0001")).toMatchObject({
      status: "bounced",
      bounce: { subtype: "no_such_mailbox", diagnostic: "550 5.1.1 No such user" },
    });
    expect(await office.store.suppressions("acme")).toMatchObject([
      { address: "gone@example.org", reason: "hard bounce" },
    ]);
  });

  test("relaying: the message bounces and nothing is suppressed", async () => {
    const { office } = await open({ recipient: () => no(550, "5.7.1 Relaying denied") });
    await office.send(message());
    await office.clock.advance(day);
    expect(await office.read("msg_0001")).toMatchObject({
      status: "bounced",
      bounce: { subtype: "rejected" },
    });
    expect(await office.store.suppressions("acme")).toEqual([]);
  });

  test("the size: the message bounces", async () => {
    const { office } = await open({ size: 1000 });
    await office.send(message({}, { text: "x".repeat(5000) }));
    await office.clock.advance(day);
    expect(await office.read("msg_0001")).toMatchObject({ status: "bounced", bounce: { permanent: true } });
  });
});

describe("a server that is not ready", () => {
  test("gets the message in a later attempt", async () => {
    let asked = 0;
    const { host, office } = await open({
      message: () => (++asked < 3 ? no(451, "4.3.0 Later, please") : undefined),
    });
    await office.send(message());
    await office.clock.advance(0);
    expect(await office.read("msg_0001")).toMatchObject({ status: "sent", dueAt: sentAt + (waits[0] ?? 0) });
    expect(warningsOf(await office.read("msg_0001"))).toEqual([
      "The SMTP server has not accepted the message yet; it will be retried: 451 4.3.0 Later, please",
    ]);
    await office.clock.advance((waits[0] ?? 0) - 1);
    expect(asked).toBe(1);
    await office.clock.advance(1);
    expect({ asked, taken: host.received.length }).toEqual({ asked: 2, taken: 0 });
    await office.clock.advance(waits[1] ?? 0);
    expect({ asked, taken: host.received.length }).toEqual({ asked: 3, taken: 1 });
    const taken = await office.read("msg_0001");
    expect([taken.status, warningsOf(taken)]).toEqual(["delivered", []]);
  });

  test("for one recipient gets the message again for that recipient only", async () => {
    let asked = 0;
    const { host, office } = await open({
      recipient: (address) =>
        address.startsWith("slow") && ++asked < 2 ? no(450, "4.2.1 Later") : undefined,
    });
    await office.send(message({ to: ["ada@example.org"], bcc: ["slow@example.org"] }));
    await office.clock.advance(day);
    expect(host.received.map(({ to }) => to)).toEqual([["ada@example.org"], ["slow@example.org"]]);
    expect((await office.read("msg_0001")).status).toBe("delivered");
  });

  test("for about a day: the message bounces as transient", async () => {
    let asked = 0;
    const { office } = await open({
      recipient: () => {
        asked += 1;
        return no(451, "4.7.1 Greylisted");
      },
    });
    await office.send(message());
    await office.clock.advance(2 * day);
    expect(asked).toBe(waits.length + 1);
    expect(await office.read("msg_0001")).toMatchObject({
      status: "bounced",
      bounce: { type: "transient", permanent: false, diagnostic: "451 4.7.1 Greylisted" },
    });
    expect(await office.store.suppressions("acme")).toEqual([]);
  });

  test("because it does not listen yet is retried", async () => {
    const nobody = net.createServer().listen(0, "127.0.0.1");
    await once(nobody, "listening");
    const { port } = nobody.address() as AddressInfo;
    nobody.close();
    await once(nobody, "close");
    const office = await openPostOffice({ smtp: `smtp://127.0.0.1:${port}` });
    opened.push(office.end);
    await office.send(message());
    await office.clock.advance(0);
    expect(await office.read("msg_0001")).toMatchObject({ status: "sent", dueAt: sentAt + (waits[0] ?? 0) });
    await office.clock.advance(2 * day);
    expect(await office.read("msg_0001")).toMatchObject({
      status: "bounced",
      bounce: { diagnostic: expect.stringContaining("ECONNREFUSED") },
    });
  });

  test("and drops the connection before it has the message is retried", async () => {
    let asked = 0;
    const { host, office } = await open({ recipient: () => (++asked < 2 ? "drop" : undefined) });
    await office.send(message());
    await office.clock.advance(day);
    expect({ asked, taken: host.received.length }).toEqual({ asked: 2, taken: 1 });
  });
});
