import { lifecycles } from "../../generated/lifecycles.ts";
import { isObject } from "../../lib/objects.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { bodyOf, format } from "../support/assertions.ts";
import { assertOrder, assertStatus, assertTime, eventsOfType, latest } from "../support/message-records.ts";
import { emailNeeds, type SimulatedRecipient } from "../support/messages.ts";
import { canceledMessage, scheduledMessage } from "../support/scheduled-messages.ts";
import { sentBatch } from "../support/sent-batch.ts";
import { trackedMessage } from "../support/tracked-messages.ts";

const { states, unspecified } = lifecycles.message;

/** Asserts the last status of a message to a simulated recipient, and the order of two of its times. */
const reaches =
  (local: SimulatedRecipient, status: string, [early, late]: [string, string]) =>
  async (tester: Tester): Promise<Exchange> => {
    const found = latest((await trackedMessage(tester, local)).lookups);
    assertStatus(found, status);
    assertOrder(found, [early, assertTime(found, early)], [late, assertTime(found, late)]);
    return found;
  };

export const delivery: Check[] = withNeeds(emailNeeds, [
  check("DELIV-1", "the status of a message is one of the documented ones", [
    testCase("messages to simulated recipients", { core: true }, async (tester) => {
      for (const local of ["success", "bounce", "complaint", "suppressionlist"] as const)
        for (const lookup of (await trackedMessage(tester, local)).lookups) assertStatus(lookup, ...states);
    }),
    testCase("scheduled and canceled messages", { core: true }, async (tester) => {
      assertStatus((await scheduledMessage(tester)).lookup, ...states);
      assertStatus((await canceledMessage(tester)).lookup, ...states);
    }),
    testCase("messages of a batch", async (tester) => {
      for (const lookup of (await sentBatch(tester)).lookups)
        if (isSuccess(lookup)) assertStatus(lookup, ...states);
    }),
  ]),
  check(
    "DELIV-2",
    "a message that the receiving server accepts becomes delivered",
    reaches("success", "delivered", ["sent_at", "delivered_at"]),
  ),
  check("DELIV-3", "delivery to a simulated recipient is confirmed within the deadline", async (tester) => {
    assertStatus(latest((await trackedMessage(tester, "success")).lookups), "delivered");
  }),
  check("DELIV-4", "a message is on its way right after the send", async (tester) => {
    for (const local of ["success", "complaint"] as const) {
      const [first] = (await trackedMessage(tester, local)).lookups;
      // Usually sent; those that follow it may come early, and when a message has the unspecified ones is open.
      if (first !== undefined) assertStatus(first, "sent", "delivered", "complained", ...unspecified);
    }
  }),
  check("DELIV-5", "a message that the receiving server rejects becomes bounced", async (tester) => {
    const found = await reaches("bounce", "bounced", ["sent_at", "bounced_at"])(tester);
    const { bounce } = bodyOf(found);
    assert(isObject(bounce), found, { expected: "a bounce", found: format(bounce) });
  }),
  check("DELIV-6", "a bounce appears in the events of the message", async (tester) => {
    const found = latest((await trackedMessage(tester, "bounce")).lookups);
    assert(eventsOfType(found, "bounced").length > 0, found, {
      expected: "an event of type bounced",
      found: format(bodyOf(found).events),
    });
  }),
  check(
    "DELIV-7",
    "a delivered message reported as spam becomes complained",
    reaches("complaint", "complained", ["delivered_at", "complained_at"]),
  ),
]);
