import { isObject } from "../../../lib/is-object.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, format } from "../support/assertions.ts";
import { assertNull, assertTimestamp, latest, statusOf } from "../support/message-records.ts";
import { emailNeeds } from "../support/messages.ts";
import { scheduledMessage } from "../support/scheduled-messages.ts";
import { sentStatuses, trackedMessage } from "../support/tracked-messages.ts";

/** All records of messages to simulated recipients, including those before the final status. */
async function allLookups(tester: Tester): Promise<Exchange[]> {
  const ways = await Promise.all(
    (["success", "bounce", "complaint"] as const).map((local) => trackedMessage(tester, local)),
  );
  return ways.flatMap(({ lookups }) => lookups);
}

/** Asserts that a property is set in these statuses and null in all others, except unspecified ones. */
const setExactlyIn =
  (field: string, set: readonly string[], open: readonly string[] = []) =>
  async (tester: Tester): Promise<void> => {
    for (const lookup of await allLookups(tester)) {
      const status = statusOf(lookup);
      if (set.includes(status)) assertSet(lookup, field, status);
      else if (!open.includes(status)) assertNull(lookup, field, `while the message is ${status}`);
    }
  };

function assertSet(lookup: Exchange, field: string, status: string): void {
  const value = bodyOf(lookup)[field];
  assert(value !== null && value !== undefined, lookup, {
    expected: `${field} for a ${status} message`,
    found: format(value),
  });
}

/** Statuses whose predecessors and successors are unspecified. */
const unspecified = ["queued", "delayed", "rejected", "failed", "canceled"];

/** Statuses that follow `sent`. */
const sent = sentStatuses.filter((status) => !unspecified.includes(status));

/** How a record describes the status of its message and how it got there. */
export const recordStates: Check[] = withNeeds(emailNeeds, [
  check("LOOK-8", "a record has a status_description", async (tester) => {
    for (const lookup of await allLookups(tester)) {
      const { status_description: words } = bodyOf(lookup);
      assert(typeof words === "string" && /\S/.test(words), lookup, {
        expected: "a text in status_description",
        found: format(words),
      });
    }
  }),
  check("LOOK-9", "a record has the scheduled time", [
    testCase("a scheduled message", { core: true }, async (tester) => {
      const { lookup, at } = await scheduledMessage(tester);
      assertTimestamp(lookup, "scheduled_at", at);
    }),
    testCase("null for an immediate send", { core: true }, async (tester) => {
      const { lookups } = await trackedMessage(tester, "success");
      for (const lookup of lookups)
        assertNull(lookup, "scheduled_at", "for a message that was not scheduled");
    }),
  ]),
  check("LOOK-10", "a record has the time of sending once the message is sent", [
    testCase("set when sent", { core: true }, setExactlyIn("sent_at", sent, unspecified)),
    testCase("null while scheduled", { core: true }, async (tester) =>
      assertNull((await scheduledMessage(tester)).lookup, "sent_at", "before it is sent"),
    ),
  ]),
  check(
    "LOOK-11",
    "a record has the time of delivery only if the message was delivered",
    setExactlyIn("delivered_at", ["delivered", "complained"], unspecified),
  ),
  check(
    "LOOK-12",
    "a record has the time of the bounce only if the message bounced",
    setExactlyIn("bounced_at", ["bounced"], unspecified),
  ),
  check(
    "LOOK-13",
    "a record has the time of the complaint only if there was one",
    setExactlyIn("complained_at", ["complained"], unspecified),
  ),
  check(
    "LOOK-14",
    "a record has a bounce only if the message bounced",
    setExactlyIn("bounce", ["bounced"], unspecified),
  ),
  check("LOOK-15", "a sent message has events", async (tester) => {
    const { lookups } = await trackedMessage(tester, "success");
    const found = latest(lookups);
    const { events } = bodyOf(found);
    assert(Array.isArray(events) && events.length > 0 && events.every(isObject), found, {
      expected: "at least one event, and nothing but events",
      found: format(events),
    });
  }),
]);
