import { assert, configured } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertEqual, assertError, assertSuccess, bodyOf, format, requestOk } from "../support/assertions.ts";
import { unordered } from "../support/message-records.ts";
import {
  emailNeeds,
  message,
  newRecipient,
  send,
  simulatedRecipient,
  templateMessage,
} from "../support/messages.ts";
import { operationOf, type SendKind, sendBy, sendKinds } from "../support/send-kinds.ts";
import {
  everySuppressed,
  type RecipientField,
  recipientFields,
  sendEverySuppressed,
  sendPartlySuppressed,
  suppressedPerField,
  suppressedRecipient,
} from "../support/suppressed-recipients.ts";
import { trackedMessage } from "../support/tracked-messages.ts";

const suppressing = ["suppressed", ...emailNeeds] as const;

/** One case per field with recipients. */
const casePerField = (
  kind: SendKind,
  run: (tester: Tester, field: RecipientField) => Promise<unknown>,
): TestCase[] =>
  recipientFields.map((field) =>
    testCase(
      `${kind}, in ${field}`,
      { operation: operationOf(kind), core: false, needs: suppressing },
      (tester) => run(tester, field),
    ),
  );

/** All fields in one message: what the profile core includes. */
const inEveryField = (kind: SendKind, run: TestCase["run"]): TestCase =>
  testCase(`${kind}, in every field`, { operation: operationOf(kind), core: true, needs: suppressing }, run);

/** The response lists the suppressed recipients, whichever field they are in. */
const listedCases = (kind: SendKind): TestCase[] => [
  ...casePerField(kind, async (tester, field) => {
    const { exchange, entry } = await sendPartlySuppressed(tester, kind, field);
    assertEqual(exchange, "suppressed", entry().suppressed, [suppressedRecipient(tester)]);
  }),
  inEveryField(kind, async (tester) => {
    const { exchange, entry, gone } = await sendEverySuppressed(tester, kind);
    assertSuccess(exchange);
    assertEqual(exchange, "suppressed", unordered(entry().suppressed), unordered(gone));
  }),
];

/** Messages without a recipient that is not suppressed. */
const onlySuppressed: Record<string, (tester: Tester) => Record<string, unknown>> = {
  "in to": (tester) => ({ to: tester.settings.fixtures.suppressed }),
  "in to and cc": (tester) => ({ ...suppressedPerField(tester), bcc: undefined }),
  "in to and bcc": (tester) => ({ ...suppressedPerField(tester), cc: undefined }),
  "in every field": everySuppressed,
};

/** Suppressed recipients. */
export const suppression: Check[] = [
  check(
    "SEND-33",
    "the response lists the actual recipients in to",
    [
      testCase("one recipient", { core: true }, async (tester) => {
        const { body, response } = await trackedMessage(tester, "success");
        assertEqual(response, "to", unordered(bodyOf(response).to), body.to);
      }),
      testCase("three recipients", { needs: ["recipientDomain"] }, async (tester) => {
        const to = [1, 2, 3].map(() => newRecipient(tester));
        const response = await requestOk(tester, "sendEmail", { body: message(tester, { to }) });
        assertEqual(response, "to", unordered(bodyOf(response).to), unordered(to));
      }),
      ...casePerField("sendEmail", async (tester, field) => {
        const { exchange, entry } = await sendPartlySuppressed(tester, "sendEmail", field);
        const to = unordered(entry().to);
        // Whether recipients in cc and bcc are listed is unspecified.
        if (field === "to") assertEqual(exchange, "to", to, [simulatedRecipient(tester)]);
        assert(!String(to).includes(suppressedRecipient(tester)), exchange, {
          expected: `to without the suppressed recipient in ${field}`,
          found: format(to),
        });
      }).map((one) => ({ ...one, title: `without suppressed recipients ${one.title.split(", ").at(-1)}` })),
      inEveryField("sendEmail", async (tester) => {
        const { exchange, entry } = await sendEverySuppressed(tester, "sendEmail");
        assertEqual(exchange, "to", entry().to, [simulatedRecipient(tester)]);
      }),
    ],
    { needs: emailNeeds },
  ),
  check("SEND-34", "the response lists the suppressed recipients", [
    ...listedCases("sendEmail"),
    testCase("nobody", { core: true, needs: emailNeeds }, async (tester) => {
      const { response } = await trackedMessage(tester, "success");
      assertEqual(response, "suppressed", bodyOf(response).suppressed, []);
    }),
    testCase(
      "immediately after the suppression",
      { needs: ["hooks.suppress", "recipientDomain", ...emailNeeds] },
      assertSuppressedAtOnce,
    ),
  ]),
  check(
    "SCHED-5",
    "the response to a scheduled send lists the suppressed recipients of every field",
    listedCases("sendEmail, scheduled"),
  ),
  check("BATCH-12", "each entry lists the suppressed recipients of every field", listedCases("sendBatch")),
  check(
    "SEND-35",
    "a suppressed recipient does not fail a send with other recipients",
    [
      ...sendKinds.flatMap((kind) =>
        casePerField(kind, async (tester, field) =>
          assertSuccess((await sendPartlySuppressed(tester, kind, field)).exchange),
        ),
      ),
      ...sendKinds.map((kind) =>
        inEveryField(kind, async (tester) =>
          assertSuccess((await sendEverySuppressed(tester, kind)).exchange),
        ),
      ),
      ...sendKinds.map((kind) =>
        testCase(
          `${kind}, nobody else in to`,
          { operation: operationOf(kind), core: false },
          async (tester) => {
            const recipients = { to: [suppressedRecipient(tester)], cc: [simulatedRecipient(tester)] };
            assertSuccess(await sendBy(tester, kind, [message(tester, recipients)]));
          },
        ),
      ),
    ],
    { needs: suppressing },
  ),
  check(
    "SEND-36",
    "a single send with only suppressed recipients is rejected with 422 send_rejected",
    // The same message in a batch is unspecified.
    (["sendEmail", "sendEmail, scheduled"] as const).flatMap((kind) => [
      ...Object.entries(onlySuppressed).map(([title, recipientsOf]) =>
        testCase(
          `${kind}, ${title}`,
          { operation: "sendEmail", core: title === "in every field" && kind === "sendEmail" },
          async (tester) => {
            const exchange = await sendBy(tester, kind, [message(tester, recipientsOf(tester))]);
            assertError(exchange, 422, "send_rejected", ...recipientFields);
          },
        ),
      ),
      testCase(
        `${kind}, from a template`,
        { operation: "sendEmail", core: false, needs: ["template"] },
        async (tester) => {
          const template = configured(tester.settings.fixtures.template, "template");
          const body = templateMessage(tester, template, { to: tester.settings.fixtures.suppressed });
          assertError(await sendBy(tester, kind, [body]), 422, "send_rejected", ...recipientFields);
        },
      ),
    ]),
    { needs: suppressing },
  ),
];

async function assertSuppressedAtOnce(tester: Tester): Promise<void> {
  const gone = newRecipient(tester);
  await send(tester, { to: [gone] });
  await tester.hook("suppress", { email: gone });
  const body = message(tester, { to: [simulatedRecipient(tester), gone] });
  const response = await requestOk(tester, "sendEmail", { body });
  assertEqual(response, "suppressed", bodyOf(response).suppressed, [gone]);
}
