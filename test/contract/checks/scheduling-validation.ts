import { limits } from "../../../generated/limits.ts";
import { configured } from "../engine/assert.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import { assertError, assertRejected } from "../support/assertions.ts";
import { emailNeeds, message, otherVerifiedSender, secondsAhead } from "../support/messages.ts";
import { hour, scheduled } from "../support/scheduled-messages.ts";

/** Invalid scheduled sends and how they are rejected. */
const problems: Record<string, Omit<TestCase, "title">> = {
  "without a subject": {
    core: true,
    run: async (tester) => {
      const { subject: _, ...body } = message(tester, { scheduled_at: secondsAhead(tester, hour) });
      assertError(await tester.request("sendEmail", { body }), 422, "invalid_request");
    },
  },
  "the domain of from does not belong to the account": {
    core: true,
    run: async (tester) => {
      const from = `contract@contract-${tester.run.settings.runId}.example`;
      assertError(await scheduled(tester, { from }), [403, 422], "send_rejected");
    },
  },
  "from a domain with unfinished verification": {
    needs: ["domains.unfinished"],
    run: async (tester) => {
      const from = `contract@${configured(tester.settings.fixtures.domains?.unfinished, "domains.unfinished")}`;
      assertError(await scheduled(tester, { from }), 409, "send_rejected");
    },
  },
  "from a domain outside the key's restriction": {
    needs: ["keys.restricted", "domains.restricted"],
    run: async (tester) =>
      assertError(
        await scheduled(tester, { from: otherVerifiedSender(tester) }, "restricted"),
        403,
        "send_rejected",
      ),
  },
  "all recipients are suppressed": {
    needs: ["suppressed"],
    run: async (tester) => {
      const to = configured(tester.settings.fixtures.suppressed, "suppressed");
      assertError(await scheduled(tester, { to }), 422, "send_rejected");
    },
  },
  "with a tag value that is too long": {
    run: async (tester) => {
      const tags = { order: "1".repeat(limits.messageTagValueLength + 1) };
      assertError(await scheduled(tester, { tags }), 422, "invalid_request");
    },
  },
  "with an attachment in a private network": {
    run: async (tester) => {
      const attachments = [{ filename: "terms.pdf", path: "https://10.0.0.1/terms.pdf" }];
      assertRejected(await scheduled(tester, { attachments }));
    },
  },
};

/** A scheduled message is validated when it is submitted, not when it is due. */
export const scheduledValidation: Check[] = [
  check(
    "SCHED-6",
    "a scheduled message is validated completely when it is submitted",
    Object.entries(problems).map(([title, testCase]) => ({ title, ...testCase })),
    { needs: emailNeeds },
  ),
];
