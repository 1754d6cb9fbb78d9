import { limits } from "../../../generated/limits.ts";
import { type Check, check, type Trial } from "../engine/check.ts";
import { given } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { alone, handIn, inBatch } from "./handing-in.ts";
import { journey, mailNeeds } from "./journeys.ts";
import { equal, message, recipient, refused, succeeded } from "./kit.ts";
import { isRefused } from "./refusals.ts";

const foreign =
  (domainOf: (tester: Tester) => string) =>
  (operation: "sendEmail" | "sendBatch") =>
  async (tester: Tester): Promise<void> => {
    const from = `contract@${domainOf(tester)}`;
    refused(await handIn(tester, operation, message(tester, { from })), [403, 422], "send_rejected");
  };
const fromNowhere = foreign(({ run }) => `contract-${run.settings.runId}.example`);
const fromOther = foreign(({ settings }) =>
  given(settings.fixtures.domains?.ofRole?.otherAccount, "domains.ofRole.otherAccount"),
);
const fromUnfinished =
  (operation: "sendEmail" | "sendBatch") =>
  async (tester: Tester): Promise<void> => {
    const from = `contract@${given(tester.settings.fixtures.domains?.unfinished, "domains.unfinished")}`;
    refused(await handIn(tester, operation, message(tester, { from })), 409, "send_rejected");
  };

const notVerified: Trial[] = [
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
  check("SEND-1", "a message that is posted can be found", { needs: mailNeeds }, async (tester) => {
    const { id, body, looks } = await journey(tester, "success");
    const [first] = looks;
    equal(first, "id", (first?.json as { id?: unknown } | undefined)?.id, id);
    equal(first, "subject", (first?.json as { subject?: unknown } | undefined)?.subject, body.subject);
  }),
  check(
    "SEND-4",
    "a from address on a domain that the account has not verified is refused with send_rejected",
    { needs: mailNeeds },
    notVerified,
  ),
  check(
    "SEND-9",
    "a subject of as many characters as the limit is taken, however many bytes they are",
    { needs: mailNeeds },
    [
      {
        ...alone,
        core: false,
        run: (tester) => takes(tester, { subject: "é".repeat(limits.subjectLength) }),
      },
    ],
  ),
  check(
    ["SEND-7", "SEND-18", "SEND-19"],
    "to, cc and bcc take as many addresses as the limit each, at the same time",
    { needs: ["recipientDomain", ...mailNeeds] },
    [
      {
        ...alone,
        core: false,
        run: (tester) => takes(tester, { to: many(tester), cc: many(tester), bcc: many(tester) }),
      },
    ],
  ),
  check("SEND-14", "a send may name a published template", { needs: ["template", ...mailNeeds] }, [
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
  ]),
  check(
    "SEND-23",
    "a tag value of as many characters as the limit is taken, however many bytes they are",
    { needs: mailNeeds },
    [
      {
        ...alone,
        core: false,
        run: (tester) => takes(tester, { tags: { order: "é".repeat(limits.messageTagValueLength) } }),
      },
    ],
  ),
];

const takes = async (tester: Tester, changes: Record<string, unknown>): Promise<void> =>
  succeeded(await tester.ask("sendEmail", { body: message(tester, changes) }));

const many = (tester: Tester): string[] =>
  Array.from({ length: limits.recipientsPerField }, () => recipient(tester));

const byTemplate = (tester: Tester, template_id: string): Record<string, unknown> => {
  const { subject: _, text: __, ...rest } = message(tester);
  return { ...rest, template_id, variables: tester.settings.fixtures.template?.variables ?? {} };
};

async function templated(tester: Tester, operation: "sendEmail" | "sendBatch"): Promise<void> {
  const { id } = given(tester.settings.fixtures.template, "template");
  succeeded(await handIn(tester, operation, byTemplate(tester, id)));
}

const unknownTemplate = (tester: Tester): Record<string, unknown> =>
  byTemplate(tester, `no-template-${tester.run.unique()}`);
