import { afterAll, expect, test } from "vitest";
import type { Mailbox } from "../../../contract/engine/run.ts";
import { openSmtpMailbox } from "../../../contract/mail/mailbox.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { startSandbox } from "../../../sandbox/index.ts";
import { runContract } from "../../../scripts/contract/contract.ts";
import { startTarget, testedSandbox } from "../../../scripts/contract/targets.ts";
import { freePort } from "../../free-port.ts";

const grep = /\b(SEND-1[126789]|ATT-1[02]|MEMB-12)\b/;
const ids = ["SEND-11", "SEND-12", "SEND-16", "SEND-17", "SEND-18", "SEND-19", "ATT-10", "ATT-12", "MEMB-12"];

const target = await startTarget("sandbox", { hasMail: true });
afterAll(() => target.close());

/** Of the check that a complete message arrives. */
const ofComplete = ["SEND-11", "SEND-12", "SEND-17", "ATT-12"];
const each = (...verdict: unknown[]) => ofComplete.map((id) => [id, ...verdict]);

const verdictsIn = ({ requirements }: Awaited<ReturnType<typeof runContract>>) =>
  requirements.filter(({ id }) => ids.includes(id)).map(({ id, verdict, reason }) => [id, verdict, reason]);

test("the sandbox passes what its mail shows, over SMTP", async () => {
  const { settings, mailbox } = target;
  const result = await runContract({ settings, mailbox, grep });
  expect(verdictsIn(result).sort()).toEqual(ids.map((id) => [id, "pass", undefined]).sort());
});

test("nothing is verified if the mail goes elsewhere, and the reason says so", async () => {
  const { settings } = target;
  const elsewhere = await openSmtpMailbox({ port: 0 });
  const result = await runContract({
    settings: { ...settings, deadlines: { ...settings.deadlines, delivery: 1 } },
    mailbox: elsewhere,
    grep: /\bSEND-11\b/,
  });
  await elsewhere.close();
  const reason =
    "No message arrived in the mailbox within 1 s (deadlines.delivery): is it that of the server?";
  expect(verdictsIn(result)).toEqual(each("not verified", reason));
});

test("a run without a mailbox names the setting", async () => {
  const { settings } = target;
  const { mailbox: _, ...fixtures } = settings.fixtures;
  const result = await runContract({ settings: { ...settings, fixtures }, grep: /\bSEND-11\b/ });
  expect(verdictsIn(result)).toEqual(each("not verified", "Not configured: mailbox."));
});

test.each([
  [true, "pass"],
  [false, "fail"],
])(
  "a header Bcc that the mailbox adds by itself is no fault of the server; the mailbox says so: %s",
  async (addsBcc, verdict) => {
    const { settings, mailbox } = target;
    const seen = new Set<string>();
    const adding: Mailbox = {
      isEmpty: async () => false,
      close: async () => {},
      addsBcc,
      messagesTo: async (recipient) => {
        seen.add(recipient);
        const messages = (await mailbox?.messagesTo(recipient)) ?? [];
        return messages.map((mime) => Buffer.concat([Buffer.from(`Bcc: ${[...seen].join(", ")}\r\n`), mime]));
      },
    };
    const { requirements } = await runContract({ settings, mailbox: adding, grep: /^SEND-19 recipients/ });
    expect(requirements.filter(({ id }) => id === "SEND-19").map((one) => one.verdict)).toEqual([verdict]);
  },
);

test("a run that leaves out the mailbox has no verdict on what only mail shows, and says so", async () => {
  const { settings } = target;
  const { mailbox: _, ...fixtures } = settings.fixtures;
  const without = [...settings.without, "mailbox" as const];
  const result = await runContract({ settings: { ...settings, fixtures, without }, grep: /^SEND-1[789]\b/ });
  const { requirements, exitCode } = result;
  const own = requirements.filter(({ id }) => ["SEND-17", "SEND-18", "SEND-19"].includes(id));
  expect(own.map(({ id, verdict }) => [id, verdict])).toEqual([
    ["SEND-18", "pass"],
    ["SEND-19", "pass"],
  ]);
  expect(exitCode).toBe(0);
  expect(consoleText(result).replaceAll(/\s+/g, " ")).toContain(
    "profile full without pages, attachmentHash and mailbox",
  );
});

test("a run opens the configured port, and closes it at the end", async () => {
  const port = await freePort();
  const sandbox = await startSandbox({ ...testedSandbox(), smtp: `smtp://127.0.0.1:${port}` });
  const { settings } = target;
  const fixtures = { ...settings.fixtures, mailbox: { smtp: port } };
  const result = await runContract({
    settings: { ...settings, baseUrl: sandbox.url, fixtures },
    grep: /\bSEND-12\b/,
  });
  expect(verdictsIn(result)).toEqual(each("pass", undefined));
  await (await openSmtpMailbox({ port })).close();
  await sandbox.close();
});
