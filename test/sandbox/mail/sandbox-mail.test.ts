import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import type { SandboxOptions } from "../../../sandbox/index.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { day, startRig } from "../rig.ts";
import { startSmtpHost } from "./smtp-host.ts";

const message = {
  ...{ from: "orders@bakery.example", to: ["ada@customers.example"] },
  ...{ subject: "Your order", text: "It is ready." },
};

async function startWithSmtp(options: SandboxOptions = {}) {
  const host = await startSmtpHost();
  onTestFinished(host.close);
  return { host, ...(await startRig({ smtp: host.url, ...options })) };
}

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
