import { readdirSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { day, type Rig, startRig } from "../rig.ts";
import { type Manners, readMail, type SmtpHost, startSmtpHost } from "./smtp-host.ts";

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

test("a replay with an idempotency key sends once", async () => {
  const { host, client, sandbox } = await startWithSmtp();
  const send = () => client.emails.send(message, { idempotencyKey: "order-1" });
  await Promise.all([send(), send()]);
  await send();
  await sandbox.clock.advance(day / 2);
  expect(host.received).toHaveLength(1);
});

test("a confirmation email is sent immediately, and written to the folder", async () => {
  const outbox = temporaryFolder();
  const host = await startSmtpHost();
  opened.push(host.close);
  const { client, sandbox } = await startRig({ outbox, smtp: host.url });
  await client.newsletter.contacts.upsert({ email: "new@customers.example", list_id: 1 });
  await sandbox.clock.advance(0);
  expect(host.received.map(({ to }) => to)).toEqual([["new@customers.example"]]);
  await sandbox.close();
  expect(readdirSync(outbox)).toEqual([expect.stringMatching(/^confirm_.+\.eml$/)]);
});

async function kept(sandbox: Rig["sandbox"], id: string) {
  const messages = await sandbox.outbox.messages();
  const found = messages.find((message) => message.id === id);
  if (found === undefined) throw new Error(`there is no message ${id}`);
  return found;
}
