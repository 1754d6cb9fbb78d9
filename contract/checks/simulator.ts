import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, format } from "../support/assertions.ts";
import { assertNull, assertStatus, assertTime, latest, statusOf } from "../support/message-records.ts";
import { emailNeeds, type SimulatedRecipient } from "../support/messages.ts";
import { trackedInBatch } from "../support/sent-batch.ts";
import { trackedMessage } from "../support/tracked-messages.ts";

/** Messages to a simulated recipient, single and in a batch. */
const simulatorCases = (
  local: SimulatedRecipient,
  holds: (lookups: readonly Exchange[]) => void,
): TestCase[] => [
  testCase("sendEmail", { operation: "sendEmail", core: true }, async (tester) =>
    holds((await trackedMessage(tester, local)).lookups),
  ),
  testCase("sendBatch", { operation: "sendBatch" }, async (tester) =>
    holds(await trackedInBatch(tester, local)),
  ),
];

export const simulator: Check[] = withNeeds(emailNeeds, [
  check(
    "SIM-1",
    "a message to the simulated recipient success is delivered",
    simulatorCases("success", (lookups) => {
      assertStatus(latest(lookups), "delivered");
      assertTime(latest(lookups), "delivered_at");
    }),
  ),
  check(
    "SIM-2",
    "a message to the simulated recipient bounce bounces permanently",
    simulatorCases("bounce", (lookups) => {
      const found = latest(lookups);
      assertStatus(found, "bounced");
      const bounce = bodyOf(found).bounce as { permanent?: unknown } | null | undefined;
      assert(bounce?.permanent === true, found, {
        expected: "a permanent bounce",
        found: format(bounce),
      });
      for (const lookup of lookups) assertNeverDelivered(lookup);
    }),
  ),
  check(
    "SIM-3",
    "a message to the simulated recipient complaint is delivered and then reported as spam",
    simulatorCases("complaint", (lookups) => {
      assertStatus(latest(lookups), "complained");
      assertTime(latest(lookups), "delivered_at");
    }),
  ),
  check(
    "SIM-4",
    "a message to the simulated recipient suppressionlist is never delivered",
    // The final status is unspecified.
    simulatorCases("suppressionlist", (lookups) => {
      for (const lookup of lookups) assertNeverDelivered(lookup);
    }),
  ),
]);

function assertNeverDelivered(lookup: Exchange): void {
  assert(!["delivered", "complained"].includes(statusOf(lookup)), lookup, {
    expected: "a status other than delivered",
    found: statusOf(lookup),
  });
  assertNull(lookup, "delivered_at", "for a message that is not delivered");
}
