import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { afterEach, expect, test } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { startSandbox } from "../../../sandbox/index.ts";
import { day, hour, type Rig, start, startRig, time } from "../rig.ts";
import { type Manners, no, readMail, type SmtpHost, startSmtpHost } from "./smtp-host.ts";

const message = {
  from: "orders@bakery.example",
  to: ["ada@customers.example"],
  subject: "Your order",
  text: "It is ready.",
};
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of opened.splice(0)) await end();
});

async function startWithSmtp(manners: Manners = {}): Promise<Rig & { host: SmtpHost }> {
  const host = await startSmtpHost(manners);
  opened.push(host.close);
  return { host, ...(await startRig({ smtp: host.url })) };
}

test("a message with all fields arrives as requested", async () => {
  const { host, client, sandbox } = await startWithSmtp();
  const attachments = [
    {
      filename: "Rechnung ü.pdf",
      content: Buffer.from("%PDF").toString("base64"),
      content_type: "application/pdf",
    },
    {
      filename: "logo.png",
      content: Buffer.from("png").toString("base64"),
      content_type: "image/png",
      content_id: "logo",
    },
    { filename: "terms.pdf", path: "https://files.example.com/terms.pdf" },
  ];
  const { id } = await client.emails.send({
    ...message,
    cc: ["cc@customers.example"],
    bcc: ["bcc@customers.example"],
    subject: "Grüße",
    html: '<img src="cid:logo">',
    reply_to: "re@bakery.example",
    headers: { "X-Entity-Ref-ID": "7" },
    attachments,
  });
  await sandbox.clock.advance(0);
  const [received] = host.received;
  if (received === undefined) throw new Error("nothing arrived");
  expect(received.to).toEqual(["ada@customers.example", "cc@customers.example", "bcc@customers.example"]);
  const read = await readMail(received);
  expect(read).toMatchObject({
    subject: "Grüße",
    text: "It is ready.\n",
    html: '<img src="cid:logo">\n',
    messageId: `<${id}@bakery.example>`,
  });
  expect(read.attachments.map(({ filename, contentId }) => [filename, contentId])).toEqual([
    ["logo.png", "<logo>"],
    ["Rechnung ü.pdf", undefined],
    ["terms.pdf.txt", undefined],
  ]);
  expect(received.source).not.toContain("bcc@");
  expect(Buffer.from(await sandbox.outbox.eml(await kept(sandbox, id))).toString("latin1")).toBe(
    received.source,
  );
});

test("a message canceled in time is never sent; a rescheduled one is sent at its new time", async () => {
  const { host, client, sandbox } = await startWithSmtp();
  const one = await client.emails.send({ ...message, scheduled_at: time(start + hour) });
  const two = await client.emails.send({ ...message, scheduled_at: time(start + hour), subject: "Later" });
  await client.emails.cancel(one.id);
  await client.emails.reschedule(two.id, { scheduled_at: time(start + day) });
  await sandbox.clock.advance(day - 1);
  expect(host.connections()).toBe(0);
  await sandbox.clock.advance(1);
  expect(host.received).toHaveLength(1);
});

test("a replay with an idempotency key sends once", async () => {
  const { host, client, sandbox } = await startWithSmtp();
  const send = () => client.emails.send(message, { idempotencyKey: "order-1" });
  await Promise.all([send(), send()]);
  await send();
  await sandbox.clock.advance(day / 2);
  expect(host.received).toHaveLength(1);
});

test("a batch is sent message by message, without its simulated recipients", async () => {
  const { host, client, sandbox } = await startWithSmtp();
  await client.emails.batch.send([
    message,
    { ...message, to: ["bounce@simulator.example"] },
    { ...message, to: ["bob@customers.example"] },
  ]);
  await sandbox.clock.advance(hour);
  expect(host.received.map(({ to }) => to).sort()).toEqual([
    ["ada@customers.example"],
    ["bob@customers.example"],
  ]);
});

test("a message that the server rejects has an event that says so, and is not sent again", async () => {
  const { host, client, sandbox } = await startWithSmtp({
    recipient: () => no(550, "5.1.1 <ada@customers.example>: no such user"),
  });
  const { id } = await client.emails.send(message);
  await sandbox.clock.advance(day);
  const { status, events } = await client.emails.get(id);
  expect({ status, types: events.map(({ type }) => type) }).toEqual({
    status: "delivered",
    types: ["sent", "relay_failed", "delivered"],
  });
  expect(events[1]?.detail).toContain("550 5.1.1 <ada@customers.example>: no such user");
  expect(host.connections()).toBe(1);
});

test("without a server and a folder nothing is loaded, and nothing leaves", async () => {
  const { client, sandbox } = await startRig();
  const { id } = await client.emails.send(message);
  await sandbox.clock.advance(hour);
  expect((await client.emails.get(id)).status).toBe("delivered");
});

test("messages are written to the folder when they are sent, those to simulated recipients too", async () => {
  const outbox = mkdtempSync(path.join(tmpdir(), "sandbox-outbox-"));
  opened.push(() => rmSync(outbox, { recursive: true }));
  const { client, sandbox } = await startRig({ outbox });
  const one = await client.emails.send(message);
  const two = await client.emails.send({ ...message, to: ["success@simulator.example"] });
  await client.emails.send({ ...message, scheduled_at: time(start + hour) });
  await sandbox.close();
  expect(readdirSync(outbox).sort()).toEqual([`${one.id}.eml`, `${two.id}.eml`].sort());
});

test("a confirmation email is sent immediately, and written to the folder", async () => {
  const outbox = mkdtempSync(path.join(tmpdir(), "sandbox-outbox-"));
  opened.push(() => rmSync(outbox, { recursive: true }));
  const host = await startSmtpHost();
  opened.push(host.close);
  const { client, sandbox } = await startRig({ outbox, smtp: host.url });
  await client.newsletter.contacts.upsert({ email: "new@customers.example", list_id: 1 });
  await sandbox.clock.advance(0);
  expect(host.received.map(({ to }) => to)).toEqual([["new@customers.example"]]);
  await sandbox.close();
  expect(readdirSync(outbox)).toEqual([expect.stringMatching(/^confirm_.+\.eml$/)]);
});

test("an invalid SMTP URL is a user error without the password", async () => {
  const error = await startSandbox({ smtp: "smtp://ada:hunter2@mail.example.com/oops" }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UserError);
  expect(inspect(error)).not.toContain("hunter2");
});

async function kept(sandbox: Rig["sandbox"], id: string) {
  const messages = await sandbox.outbox.messages();
  const found = messages.find((message) => message.id === id);
  if (found === undefined) throw new Error(`there is no message ${id}`);
  return found;
}
