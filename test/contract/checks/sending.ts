import { limits } from "../../../generated/limits.ts";
import { configured } from "../engine/assert.ts";
import { type Check, check, type TestCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertEqual, assertError, assertRejected, assertSuccess } from "../support/assertions.ts";
import { emailNeeds, inBatch, message, newRecipient, single, submit } from "../support/messages.ts";
import { trackedMessage } from "../support/tracked-messages.ts";

const sendFromOther =
  (domainOf: (tester: Tester) => string) =>
  (operation: "sendEmail" | "sendBatch") =>
  async (tester: Tester): Promise<void> => {
    const from = `contract@${domainOf(tester)}`;
    assertError(await submit(tester, operation, message(tester, { from })), [403, 422], "send_rejected");
  };
const fromUnknownDomain = sendFromOther(({ run }) => `contract-${run.settings.runId}.example`);
const fromOtherAccount = sendFromOther(({ settings }) =>
  configured(settings.fixtures.domains?.ofRole?.otherAccount, "domains.ofRole.otherAccount"),
);
const fromUnfinished =
  (operation: "sendEmail" | "sendBatch") =>
  async (tester: Tester): Promise<void> => {
    const from = `contract@${configured(tester.settings.fixtures.domains?.unfinished, "domains.unfinished")}`;
    assertError(await submit(tester, operation, message(tester, { from })), 409, "send_rejected");
  };

const notVerified: TestCase[] = [
  { ...single, title: "sendEmail from a nonexistent domain", run: fromUnknownDomain("sendEmail") },
  { ...inBatch, title: "sendBatch from a nonexistent domain", run: fromUnknownDomain("sendBatch") },
  {
    ...single,
    title: "sendEmail from a domain of another account",
    core: false,
    run: fromOtherAccount("sendEmail"),
  },
  {
    ...inBatch,
    title: "sendBatch from a domain of another account",
    core: false,
    run: fromOtherAccount("sendBatch"),
  },
  {
    ...single,
    title: "sendEmail from a domain with unfinished verification",
    core: false,
    needs: ["domains.unfinished"],
    run: fromUnfinished("sendEmail"),
  },
  {
    ...inBatch,
    title: "sendBatch from a domain with unfinished verification",
    core: false,
    needs: ["domains.unfinished"],
    run: fromUnfinished("sendBatch"),
  },
];

export const sending: Check[] = withNeeds(emailNeeds, [
  check("SEND-1", "a sent message can be looked up", async (tester) => {
    const { id, body, lookups } = await trackedMessage(tester, "success");
    const [first] = lookups;
    assertEqual(first, "id", (first?.json as { id?: unknown } | undefined)?.id, id);
    assertEqual(first, "subject", (first?.json as { subject?: unknown } | undefined)?.subject, body.subject);
  }),
  check(
    "SEND-4",
    "a from address on a domain that is not verified is rejected with send_rejected",
    notVerified,
  ),
  check("SEND-9", "the length of a subject is counted in characters, not bytes", [
    {
      ...single,
      core: false,
      run: (tester) => assertAccepted(tester, { subject: "é".repeat(limits.subjectLength) }),
    },
  ]),
  check(
    ["SEND-7", "SEND-18", "SEND-19"],
    "to, cc and bcc can each have the maximum number of recipients at the same time",
    [
      {
        ...single,
        core: false,
        run: (tester) =>
          assertAccepted(tester, {
            to: maxRecipients(tester),
            cc: maxRecipients(tester),
            bcc: maxRecipients(tester),
          }),
      },
    ],
    { needs: ["recipientDomain"] },
  ),
  check(
    "SEND-14",
    "a send can name a published template",
    [
      { ...single, run: (tester) => assertTemplateAccepted(tester, "sendEmail") },
      { ...inBatch, core: false, run: (tester) => assertTemplateAccepted(tester, "sendBatch") },
      {
        ...single,
        title: "sendEmail with an unknown template",
        run: async (tester) =>
          assertRejected(await submit(tester, "sendEmail", messageWithUnknownTemplate(tester))),
      },
      {
        ...inBatch,
        title: "sendBatch with an unknown template",
        core: false,
        run: async (tester) =>
          assertRejected(await submit(tester, "sendBatch", messageWithUnknownTemplate(tester))),
      },
    ],
    { needs: ["template"] },
  ),
  check("SEND-23", "the length of a tag value is counted in characters, not bytes", [
    {
      ...single,
      core: false,
      run: (tester) => assertAccepted(tester, { tags: { order: "é".repeat(limits.messageTagValueLength) } }),
    },
  ]),
]);

const assertAccepted = async (tester: Tester, changes: Record<string, unknown>): Promise<void> =>
  assertSuccess(await tester.request("sendEmail", { body: message(tester, changes) }));

const maxRecipients = (tester: Tester): string[] =>
  Array.from({ length: limits.recipientsPerField }, () => newRecipient(tester));

const templateMessage = (tester: Tester, template_id: string): Record<string, unknown> => {
  const { subject: _, text: __, ...rest } = message(tester);
  return { ...rest, template_id, variables: tester.settings.fixtures.template?.variables ?? {} };
};

async function assertTemplateAccepted(tester: Tester, operation: "sendEmail" | "sendBatch"): Promise<void> {
  const { id } = configured(tester.settings.fixtures.template, "template");
  assertSuccess(await submit(tester, operation, templateMessage(tester, id)));
}

const messageWithUnknownTemplate = (tester: Tester): Record<string, unknown> =>
  templateMessage(tester, `no-template-${tester.run.unique()}`);
