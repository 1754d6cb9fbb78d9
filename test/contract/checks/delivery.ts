import { lifecycles } from "../../../generated/lifecycles.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase, withNeeds } from "../engine/check.ts";
import { isSuccess } from "../exchange.ts";
import { bodyOf, format } from "../support/assertions.ts";
import { assertOrder, assertStatus, assertTime, eventsOfType, latest } from "../support/message-records.ts";
import { emailNeeds } from "../support/messages.ts";
import { canceledMessage, scheduledMessage } from "../support/scheduled-messages.ts";
import { sentBatch } from "../support/sent-batch.ts";
import { trackedMessage } from "../support/tracked-messages.ts";

const { states } = lifecycles.message;

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
  check("DELIV-2", "a message that the receiving server accepts becomes delivered", async (tester) => {
    const found = latest((await trackedMessage(tester, "success")).lookups);
    assertStatus(found, "delivered");
    const [sent, delivered] = [assertTime(found, "sent_at"), assertTime(found, "delivered_at")];
    assertOrder(found, ["sent_at", sent], ["delivered_at", delivered]);
  }),
  check("DELIV-3", "delivery to a simulated recipient is confirmed within the deadline", async (tester) => {
    assertStatus(latest((await trackedMessage(tester, "success")).lookups), "delivered");
  }),
  check("DELIV-4", "a message is on its way right after the send", async (tester) => {
    for (const local of ["success", "complaint"] as const) {
      const [first] = (await trackedMessage(tester, local)).lookups;
      // Usually sent; the other allowed statuses follow from other requirements.
      if (first !== undefined) assertStatus(first, "sent", "queued", "delayed", "delivered", "complained");
    }
  }),
  check("DELIV-5", "a message that the receiving server rejects becomes bounced", async (tester) => {
    const found = latest((await trackedMessage(tester, "bounce")).lookups);
    assertStatus(found, "bounced");
    const [sent, bounced] = [assertTime(found, "sent_at"), assertTime(found, "bounced_at")];
    assertOrder(found, ["sent_at", sent], ["bounced_at", bounced]);
    const { bounce } = bodyOf(found);
    assert(typeof bounce === "object" && bounce !== null, found, {
      expected: "a bounce",
      found: format(bounce),
    });
  }),
  check("DELIV-6", "a bounce appears in the events of the message", async (tester) => {
    const found = latest((await trackedMessage(tester, "bounce")).lookups);
    assert(eventsOfType(found, "bounced").length > 0, found, {
      expected: "an event of type bounced",
      found: format(bodyOf(found).events),
    });
  }),
  check("DELIV-7", "a delivered message reported as spam becomes complained", async (tester) => {
    const found = latest((await trackedMessage(tester, "complaint")).lookups);
    assertStatus(found, "complained");
    const [delivered, complained] = [assertTime(found, "delivered_at"), assertTime(found, "complained_at")];
    assertOrder(found, ["delivered_at", delivered], ["complained_at", complained]);
  }),
]);
