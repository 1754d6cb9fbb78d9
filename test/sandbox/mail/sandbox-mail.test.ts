import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import type { SandboxOptions } from "../../../sandbox/index.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { day, startRig } from "../rig.ts";
import { readMail, startSmtpHost } from "./smtp-host.ts";

const message = {
  ...{ from: "orders@bakery.example", to: ["ada@customers.example"] },
  ...{ subject: "Your order", text: "It is ready." },
};

async function startWithSmtp(options: SandboxOptions = {}) {
  const host = await startSmtpHost();
  onTestFinished(host.close);
  return { host, ...(await startRig({ smtp: host.url, ...options })) };
}

test("a message with all fields arrives as requested", async () => {
  const { host, client, sandbox } = await startWithSmtp();
  const { id } = await client.emails.send({
    ...message,
    ...{ cc: ["cc@customers.example"], bcc: ["bcc@customers.example"], reply_to: "re@bakery.example" },
    ...{ subject: "Grüße", html: '<img src="cid:logo">', headers: { "X-Entity-Ref-ID": "7" } },
    attachments: [
      { filename: "Rechnung ü.pdf", content: "JVBERg==", content_type: "application/pdf" },
      { filename: "logo.png", content: "cG5n", content_type: "image/png", content_id: "logo" },
      { filename: "terms.pdf", path: "https://files.example.com/terms.pdf" },
    ],
  });
  await sandbox.clock.advance(0);
  const [received] = host.received;
  if (received === undefined) throw new Error("nothing arrived");
  expect(received.to).toEqual(["ada@customers.example", "cc@customers.example", "bcc@customers.example"]);
  const read = await readMail(received);
  expect(read).toMatchObject({
    ...{ subject: "Grüße", text: "It is ready.\n", html: '<img src="cid:logo">\n' },
    messageId: `<${id}@bakery.example>`,
  });
  expect(read.attachments.map(({ filename, contentId }) => [filename, contentId])).toEqual([
    ["logo.png", "<logo>"],
    ["Rechnung ü.pdf", undefined],
    ["terms.pdf.txt", undefined],
  ]);
  expect(received.source).not.toContain("bcc@");
  const [kept] = await sandbox.outbox.messages();
  const eml = kept && (await sandbox.outbox.eml(kept));
  expect(Buffer.from(eml ?? []).toString("latin1")).toBe(received.source);
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
  const { host, client, sandbox } = await startWithSmtp({ outbox });
  await client.newsletter.contacts.upsert({ email: "new@customers.example", list_id: 1 });
  await sandbox.clock.advance(0);
  expect(host.received.map(({ to }) => to)).toEqual([["new@customers.example"]]);
  await sandbox.close();
  expect(readdirSync(outbox)).toEqual([expect.stringMatching(/^confirm_.+\.eml$/)]);
});
