import { AssertionFailure, configured, NotVerified } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { isSuccess } from "../exchange.ts";
import { format } from "../support/assertions.ts";
import { mailNeeds, receivedBy } from "../support/mail.ts";
import { newRecipient, sends, submit, templateMessage } from "../support/messages.ts";

const isName = (value: unknown): value is string =>
  typeof value === "string" && /^\p{L}[\p{L} ]*$/u.test(value);

/**
 * The configured values of the template, with new ones in place of names and other plain words. Dates and numbers stay: another text
 * may be rejected, and the mail may show them in another form.
 */
function newValues(tester: Tester) {
  const { id, variables = {} } = configured(tester.settings.fixtures.template, "template");
  const words = new Map(
    Object.entries(variables).flatMap(([name, value]) =>
      isName(value) ? [[name, `Contract-${tester.run.unique()}`] as const] : [],
    ),
  );
  if (words.size === 0)
    throw new NotVerified("template.variables has no text of letters and spaces, such as a name.");
  return {
    words: [...words.values()],
    template: { id, variables: { ...variables, ...Object.fromEntries(words) } },
  };
}

/** A template may show some of its variables only, or in capitals. */
export const mailTemplates: Check = check(
  "SEND-16",
  "the mail of a template contains the values of its variables",
  sends.map((operation) =>
    testCase(operation, { operation, core: operation === "sendEmail" }, async (tester) => {
      const { words, template } = newValues(tester);
      const recipient = newRecipient(tester);
      const sent = await submit(tester, operation, templateMessage(tester, template, { to: [recipient] }));
      if (!isSuccess(sent))
        throw new NotVerified("The server rejects other texts than those in template.variables.");
      const { subject, html, text } = await receivedBy(tester, recipient);
      const content = [subject, text, html].join("\n").toLowerCase();
      if (words.some((word) => content.includes(word.toLowerCase()))) return;
      throw new AssertionFailure(sent, {
        expected: `a message that contains ${words.map((word) => format(word)).join(" or ")}`,
        found: format([subject, text ?? html].join("\n")),
      });
    }),
  ),
  { needs: [...mailNeeds, "template"] },
);
