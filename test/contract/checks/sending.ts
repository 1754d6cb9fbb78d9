import { limits } from "../../../generated/limits.ts";
import { configured } from "../engine/assert.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { alone, handIn, inBatch } from "./handing-in.ts";
import { journey, mailNeeds } from "./journeys.ts";
import { assertEqual, assertError, assertSuccess, message, newRecipient } from "./kit.ts";
import { isRefused } from "./refusals.ts";

const foreign =
  (domainOf: (tester: Tester) => string) =>
  (operation: "sendEmail" | "sendBatch") =>
  async (tester: Tester): Promise<void> => {
    const from = `contract@${domainOf(tester)}`;
    assertError(await handIn(tester, operation, message(tester, { from })), [403, 422], "send_rejected");
  };
const fromNowhere = foreign(({ run }) => `contract-${run.settings.runId}.example`);
const fromOther = foreign(({ settings }) =>
  configured(settings.fixtures.domains?.ofRole?.otherAccount, "domains.ofRole.otherAccount"),
);
const fromUnfinished =
  (operation: "sendEmail" | "sendBatch") =>
  async (tester: Tester): Promise<void> => {
    const from = `contract@${configured(tester.settings.fixtures.domains?.unfinished, "domains.unfinished")}`;
    assertError(await handIn(tester, operation, message(tester, { from })), 409, "send_rejected");
  };

const notVerified: TestCase[] = [
  { ...alone, title: "sendEmail, from a domain that nobody has", run: fromNowhere("sendEmail") },
  { ...inBatch, title: "sendBatch, from a domain that nobody has", run: fromNowhere("sendBatch") },
  {
    ...alone,
    title: "sendEmail, from a domain of another account",
    core: false,
    run: fromOther("sendEmail"),
  },
  {
    ...inBatch,
    title: "sendBatch, from a domain of another account",
    core: false,
    run: fromOther("sendBatch"),
  },
  {
    ...alone,
    title: "sendEmail, from a domain that is not verified yet",
    core: false,
    needs: ["domains.unfinished"],
    run: fromUnfinished("sendEmail"),
  },
  {
    ...inBatch,
    title: "sendBatch, from a domain that is not verified yet",
    core: false,
    needs: ["domains.unfinished"],
    run: fromUnfinished("sendBatch"),
  },
];

export const sending: Check[] = [
  check(
    "SEND-1",
    "a message that is posted can be found",
    async (tester) => {
      const { id, body, looks } = await journey(tester, "success");
      const [first] = looks;
      assertEqual(first, "id", (first?.json as { id?: unknown } | undefined)?.id, id);
      assertEqual(
        first,
        "subject",
        (first?.json as { subject?: unknown } | undefined)?.subject,
        body.subject,
      );
    },
    { needs: mailNeeds },
  ),
  check(
    "SEND-4",
    "a from address on a domain that the account has not verified is refused with send_rejected",
    notVerified,
    { needs: mailNeeds },
  ),
  check(
    "SEND-9",
    "a subject of as many characters as the limit is taken, however many bytes they are",
    [
      {
        ...alone,
        core: false,
        run: (tester) => takes(tester, { subject: "é".repeat(limits.subjectLength) }),
      },
    ],
    { needs: mailNeeds },
  ),
  check(
    ["SEND-7", "SEND-18", "SEND-19"],
    "to, cc and bcc take as many addresses as the limit each, at the same time",
    [
      {
        ...alone,
        core: false,
        run: (tester) => takes(tester, { to: many(tester), cc: many(tester), bcc: many(tester) }),
      },
    ],
    { needs: ["recipientDomain", ...mailNeeds] },
  ),
  check(
    "SEND-14",
    "a send may name a published template",
    [
      { ...alone, run: (tester) => templated(tester, "sendEmail") },
      { ...inBatch, core: false, run: (tester) => templated(tester, "sendBatch") },
      {
        ...alone,
        title: "sendEmail: one that there is not",
        run: async (tester) => isRefused(await handIn(tester, "sendEmail", unknownTemplate(tester))),
      },
      {
        ...inBatch,
        title: "sendBatch: one that there is not",
        core: false,
        run: async (tester) => isRefused(await handIn(tester, "sendBatch", unknownTemplate(tester))),
      },
    ],
    { needs: ["template", ...mailNeeds] },
  ),
  check(
    "SEND-23",
    "a tag value of as many characters as the limit is taken, however many bytes they are",
    [
      {
        ...alone,
        core: false,
        run: (tester) => takes(tester, { tags: { order: "é".repeat(limits.messageTagValueLength) } }),
      },
    ],
    { needs: mailNeeds },
  ),
];

const takes = async (tester: Tester, changes: Record<string, unknown>): Promise<void> =>
  assertSuccess(await tester.request("sendEmail", { body: message(tester, changes) }));

const many = (tester: Tester): string[] =>
  Array.from({ length: limits.recipientsPerField }, () => newRecipient(tester));

const byTemplate = (tester: Tester, template_id: string): Record<string, unknown> => {
  const { subject: _, text: __, ...rest } = message(tester);
  return { ...rest, template_id, variables: tester.settings.fixtures.template?.variables ?? {} };
};

async function templated(tester: Tester, operation: "sendEmail" | "sendBatch"): Promise<void> {
  const { id } = configured(tester.settings.fixtures.template, "template");
  assertSuccess(await handIn(tester, operation, byTemplate(tester, id)));
}

const unknownTemplate = (tester: Tester): Record<string, unknown> =>
  byTemplate(tester, `no-template-${tester.run.unique()}`);
