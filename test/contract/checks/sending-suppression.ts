import { configured } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertEqual, assertError, assertSuccess, bodyOf, requestOk } from "../support/assertions.ts";
import { unordered } from "../support/message-records.ts";
import {
  emailNeeds,
  fieldIn,
  message,
  newRecipient,
  send,
  sends,
  simulatedRecipient,
  submit,
} from "../support/messages.ts";
import { casePerOperation } from "../support/requests.ts";
import { trackedMessage } from "../support/tracked-messages.ts";

/** A send to one reachable and one suppressed recipient. */
const partlySuppressed = (tester: Tester): Promise<{ to: string; gone: string; exchange: Exchange }> =>
  tester.once("a send to a suppressed and another recipient", async (own) => {
    const [gone] = configured(own.settings.fixtures.suppressed, "suppressed");
    const to = simulatedRecipient(own);
    const exchange = await own.request("sendEmail", { body: message(own, { to: [to, gone] }) });
    return { to, gone: String(gone), exchange };
  });

const suppressing = ["suppressed", ...emailNeeds] as const;

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
      testCase("without suppressed recipients", { core: true, needs: ["suppressed"] }, async (tester) => {
        const { to, exchange } = await partlySuppressed(tester);
        assertEqual(exchange, "to", bodyOf(exchange).to, [to]);
      }),
    ],
    { needs: emailNeeds },
  ),
  check("SEND-34", "the response lists the suppressed recipients", [
    testCase("one of two recipients", { core: true, needs: suppressing }, async (tester) => {
      const { gone, exchange } = await partlySuppressed(tester);
      assertEqual(exchange, "suppressed", bodyOf(exchange).suppressed, [gone]);
    }),
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
    "SEND-35",
    "a suppressed recipient does not fail a send with other recipients",
    [
      testCase("sendEmail", { operation: "sendEmail", core: true }, async (tester) =>
        assertSuccess((await partlySuppressed(tester)).exchange),
      ),
      testCase("sendBatch", { operation: "sendBatch" }, async (tester) => {
        const to = [simulatedRecipient(tester), ...(tester.settings.fixtures.suppressed ?? [])];
        assertSuccess(await submit(tester, "sendBatch", message(tester, { to })));
      }),
    ],
    { needs: suppressing },
  ),
  check(
    "SEND-36",
    "a send with only suppressed recipients is rejected with 422 send_rejected",
    casePerOperation(sends, sends, async (tester, operation) => {
      const to = configured(tester.settings.fixtures.suppressed, "suppressed");
      const exchange = await submit(tester, operation, message(tester, { to }));
      assertError(exchange, 422, "send_rejected", fieldIn(operation, "to"));
    }),
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
