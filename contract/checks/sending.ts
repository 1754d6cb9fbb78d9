import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { configured } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertClientError, assertEqual, assertError, assertSuccess } from "../support/assertions.ts";
import {
  emailNeeds,
  fieldIn,
  message,
  newRecipient,
  sends,
  submit,
  templateMessage,
} from "../support/messages.ts";
import { casePerOperation } from "../support/requests.ts";
import { trackedMessage } from "../support/tracked-messages.ts";

/** Sends from a domain that the account has not verified. */
const unverifiedCases = (
  suffix: string,
  statuses: readonly number[],
  domainOf: (tester: Tester) => string,
  core: readonly OperationId[] = [],
  needs: readonly Need[] = [],
): TestCase[] =>
  casePerOperation(
    sends,
    core,
    async (tester, operation) => {
      const from = `contract@${domainOf(tester)}`;
      const exchange = await submit(tester, operation, message(tester, { from }));
      assertError(exchange, statuses, "send_rejected", fieldIn(operation, "from"));
    },
    { suffix, needs },
  );

/** A message with these changes is accepted; not part of the profile `core`. */
const acceptedCase = (changes: (tester: Tester) => Record<string, unknown>): TestCase[] =>
  casePerOperation(["sendEmail"], [], async (tester) =>
    assertSuccess(await tester.request("sendEmail", { body: message(tester, changes(tester)) })),
  );

export const sending: Check[] = withNeeds(emailNeeds, [
  check("SEND-1", "a sent message can be looked up", async (tester) => {
    const { id, body, lookups } = await trackedMessage(tester, "success");
    const [first] = lookups;
    assertEqual(first, "id", (first?.json as { id?: unknown } | undefined)?.id, id);
    assertEqual(first, "subject", (first?.json as { subject?: unknown } | undefined)?.subject, body.subject);
  }),
  check("SEND-4", "a from address on a domain that is not verified is rejected with send_rejected", [
    ...unverifiedCases(
      " from a nonexistent domain",
      [403, 422],
      ({ run }) => `contract-${run.settings.runId}.example`,
      sends,
    ),
    ...unverifiedCases(" from a domain of another account", [403, 422], ({ settings }) =>
      configured(settings.fixtures.domains?.ofRole?.otherAccount, "domains.ofRole.otherAccount"),
    ),
    ...unverifiedCases(
      " from a domain with unfinished verification",
      [409],
      ({ settings }) => configured(settings.fixtures.domains?.unfinished, "domains.unfinished"),
      [],
      ["domains.unfinished"],
    ),
  ]),
  check(
    "SEND-9",
    "the length of a subject is counted in characters, not bytes",
    acceptedCase(() => ({ subject: "é".repeat(limits.subjectLength) })),
  ),
  check(
    ["SEND-7", "SEND-18", "SEND-19"],
    "to, cc and bcc can each have the maximum number of recipients at the same time",
    acceptedCase((tester) => ({
      to: maxRecipients(tester),
      cc: maxRecipients(tester),
      bcc: maxRecipients(tester),
    })),
    { needs: ["recipientDomain"] },
  ),
  check(
    "SEND-14",
    "a send can name a published template",
    casePerOperation(
      sends,
      ["sendEmail"],
      async (tester, operation) => {
        const published = configured(tester.settings.fixtures.template, "template");
        assertSuccess(await submit(tester, operation, templateMessage(tester, published)));
      },
      { needs: ["template"] },
    ),
  ),
  check("SEND-14", "a send with an unknown or unpublished template is rejected", [
    ...casePerOperation(
      sends,
      ["sendEmail"],
      async (tester, operation) => {
        const { variables } = tester.settings.fixtures.template ?? {};
        const body = templateMessage(tester, { id: `no-template-${tester.run.unique()}`, variables });
        assertClientError(await submit(tester, operation, body), fieldIn(operation, "template_id"));
      },
      { suffix: " with an unknown template" },
    ),
    ...casePerOperation(
      sends,
      ["sendEmail"],
      async (tester, operation) => {
        const draft = configured(tester.settings.fixtures.unpublishedTemplate, "unpublishedTemplate");
        const exchange = await submit(tester, operation, templateMessage(tester, draft));
        assertClientError(exchange, fieldIn(operation, "template_id"));
      },
      { suffix: " with an unpublished template", needs: ["unpublishedTemplate"] },
    ),
  ]),
  check(
    "SEND-23",
    "the length of a tag value is counted in characters, not bytes",
    acceptedCase(() => ({ tags: { order: "é".repeat(limits.messageTagValueLength) } })),
  ),
]);

const maxRecipients = (tester: Tester): string[] =>
  Array.from({ length: limits.recipientsPerField }, () => newRecipient(tester));
