import { assert } from "../engine/assert.ts";
import { type Check, caseOf, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import {
  assertEqual,
  assertProperty,
  assertSuccess,
  bodyOf,
  format,
  requestOk,
} from "../support/assertions.ts";
import {
  assertSuppressed,
  assertTemplateRejected,
  messageCases,
  unpublishedTemplate,
} from "../support/message-cases.ts";
import {
  emailNeeds,
  message,
  newRecipient,
  operationOf,
  publishedTemplate,
  type SendKind,
  send,
  sendKinds,
  sends,
  simulatedRecipient,
  singleSends,
  templateMessage,
  trackedMessage,
  unordered,
} from "../support/messages.ts";
import { scheduledMessage } from "../support/scheduled-messages.ts";
import {
  everySuppressed,
  sendEverySuppressed,
  suppressedPerField,
  suppressedRecipient,
} from "../support/suppressed-recipients.ts";

function unknownTemplate(tester: Tester): Record<string, unknown> {
  const { variables } = tester.settings.fixtures.template ?? {};
  return templateMessage(tester, { id: `no-template-${tester.run.unique()}`, variables });
}

export const sending: Check[] = withNeeds(emailNeeds, [
  check("SEND-1", "a sent message can be looked up", async (tester) => {
    const { id, body, last } = await trackedMessage("success")(tester);
    assertProperty(last, "id", id);
    assertProperty(last, "subject", body.subject);
  }),
  check("SEND-1", "two equal sends without a key are two messages", { core: false }, async (tester) => {
    const body = message(tester);
    const [one, other] = [await send(tester, body), await send(tester, body)];
    assert(one !== other, tester.exchanges.at(-1), {
      expected: "another id than that of the first",
      found: one,
    });
  }),
  check(
    "SEND-14",
    "a send can name a published template",
    { needs: ["template"] },
    messageCases(publishedTemplate, assertSuccess, { kinds: sends }),
  ),
  check("SEND-14", "a send with an unknown or unpublished template is rejected", [
    ...messageCases(unknownTemplate, assertTemplateRejected, { title: "unknown, ", kinds: sends }),
    ...messageCases(unpublishedTemplate, assertTemplateRejected, {
      title: "unpublished, ",
      kinds: sends,
      needs: ["unpublishedTemplate"],
    }),
  ]),
]);

const suppressing = ["suppressed", ...emailNeeds] as const;

/** All fields in one message: what the profile core includes. */
const inEveryField = (kind: SendKind, run: TestCase["run"]): TestCase =>
  testCase(`${kind}, in every field`, { operation: operationOf(kind), core: true, needs: suppressing }, run);

/** The response lists the suppressed recipients, whichever field they are in. */
const listedCase = (kind: SendKind): TestCase =>
  inEveryField(kind, async (tester) => {
    const { exchange, entry, gone } = await sendEverySuppressed(tester, kind);
    assertSuccess(exchange);
    const name = "suppressed, as in the configuration,";
    assertEqual(exchange, name, unordered(entry().suppressed), unordered(gone));
  });

/** Messages without a recipient that is not suppressed. */
const onlySuppressed: Record<string, (tester: Tester) => Record<string, unknown>> = {
  "in to": (tester) => ({ to: tester.settings.fixtures.suppressed }),
  "in to and cc": (tester) => ({ ...suppressedPerField(tester), bcc: undefined }),
  "in to and bcc": (tester) => ({ ...suppressedPerField(tester), cc: undefined }),
  "in every field": everySuppressed,
};

export const suppression: Check[] = [
  check("SEND-33", "the response lists the actual recipients in to", { needs: emailNeeds }, [
    caseOf(trackedMessage("success"), "one recipient", ({ body, response }) => {
      assertEqual(response, "to", unordered(bodyOf(response).to), body.to);
    }),
    inEveryField("sendEmail", async (tester) => {
      const { exchange, entry, reachable } = await sendEverySuppressed(tester, "sendEmail");
      assertEqual(exchange, "to", unordered(entry().to), unordered(reachable));
    }),
  ]),
  check("SEND-34", "the response lists the suppressed recipients", [
    listedCase("sendEmail"),
    caseOf(trackedMessage("success"), "nobody", ({ response }) => assertProperty(response, "suppressed", [])),
    testCase(
      "immediately after the suppression",
      { needs: ["hooks.suppress", "recipientDomain", ...emailNeeds] },
      async (tester) => {
        const gone = newRecipient(tester);
        await send(tester, { to: [gone] });
        await tester.hook("suppress", { email: gone });
        const body = message(tester, { to: [simulatedRecipient(tester), gone] });
        assertProperty(await requestOk(tester, "sendEmail", { body }), "suppressed", [gone]);
      },
    ),
  ]),
  check("SCHED-5", "the response to a scheduled send lists the suppressed recipients of every field", [
    listedCase("sendEmail, scheduled"),
    caseOf(scheduledMessage, "nobody", ({ response }) => assertProperty(response, "suppressed", [])),
  ]),
  check("BATCH-12", "each entry lists the suppressed recipients of every field", [listedCase("sendBatch")]),
  check("SEND-35", "a suppressed recipient does not fail a send to others", { needs: suppressing }, [
    ...sendKinds.map((kind) =>
      inEveryField(kind, async (tester) => {
        const { exchange, reachable } = await sendEverySuppressed(tester, kind);
        assertSuccess(exchange);
        const { to } = bodyOf(exchange);
        const isSent = kind !== "sendEmail" || reachable.every((one) => String(to).includes(one));
        assert(isSent, exchange, { expected: "to with the other recipients", found: format(to) });
      }),
    ),
    ...messageCases(
      (tester) => message(tester, { to: [suppressedRecipient(tester)], cc: [simulatedRecipient(tester)] }),
      assertSuccess,
      { title: "nobody else in to, ", core: false },
    ),
  ]),
  check(
    "SEND-36",
    "a single send with only suppressed recipients is rejected with 422 send_rejected",
    // The same message in a batch is unspecified.
    { needs: suppressing },
    [
      ...Object.entries(onlySuppressed).flatMap(([title, recipientsOf]) =>
        messageCases((tester) => message(tester, recipientsOf(tester)), assertSuppressed, {
          title: `${title}, `,
          kinds: singleSends,
          core: title === "in every field",
        }),
      ),
      ...messageCases(
        (tester) => ({ ...publishedTemplate(tester), to: tester.settings.fixtures.suppressed }),
        assertSuppressed,
        { title: "from a template, ", kinds: singleSends, core: false, needs: ["template"] },
      ),
    ],
  ),
];
