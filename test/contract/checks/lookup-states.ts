import { isObject } from "../cases/place.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { bodyOf, format } from "../support/assertions.ts";
import { assertNull, assertTimestamp, latest, statusOf } from "../support/message-records.ts";
import { emailNeeds } from "../support/messages.ts";
import { scheduledMessage } from "../support/scheduled-messages.ts";
import { sentStatuses, trackedMessage } from "../support/tracked-messages.ts";

/** Every record of the messages to simulated recipients, those on their way included. */
async function allLookups(tester: Tester): Promise<Exchange[]> {
  const ways = await Promise.all(
    (["success", "bounce", "complaint"] as const).map((local) => trackedMessage(tester, local)),
  );
  return ways.flatMap(({ lookups }) => lookups);
}

/** A field is set exactly where the status is one of some; where it may be either, nothing is said. */
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
    expected: `${field} of a message that is ${status}`,
    found: format(value),
  });
}

/** States of which it is not said what comes before and after them. */
const unspecified = ["queued", "delayed", "rejected", "failed", "canceled"];

/** States that come after the one of being sent. */
const sent = sentStatuses.filter((status) => !unspecified.includes(status));

/** What a record says of the state of its message, and of how it came there. */
export const recordStates: Check[] = [
  check(
    "LOOK-8",
    "a record explains its status in words",
    async (tester) => {
      for (const lookup of await allLookups(tester)) {
        const { status_description: words } = bodyOf(lookup);
        assert(typeof words === "string" && /\S/.test(words), lookup, {
          expected: "words in status_description",
          found: format(words),
        });
      }
    },
    { needs: emailNeeds },
  ),
  check(
    "LOOK-9",
    "a record has the time that the message was scheduled for",
    [
      testCase("of a message that waits for its time", { core: true }, async (tester) => {
        const { lookup, at } = await scheduledMessage(tester);
        assertTimestamp(lookup, "scheduled_at", at);
      }),
      testCase("null for a message that was sent at once", { core: true }, async (tester) => {
        const { lookups } = await trackedMessage(tester, "success");
        for (const lookup of lookups)
          assertNull(lookup, "scheduled_at", "for a message that was not scheduled");
      }),
    ],
    { needs: emailNeeds },
  ),
  check(
    "LOOK-10",
    "a record has the time of sending, once the message is sent",
    [
      testCase("set when it is sent", { core: true }, setExactlyIn("sent_at", sent, unspecified)),
      testCase("null while it waits for its time", { core: true }, async (tester) =>
        assertNull((await scheduledMessage(tester)).lookup, "sent_at", "before it is sent"),
      ),
    ],
    { needs: emailNeeds },
  ),
  check(
    "LOOK-11",
    "a record has the time of delivery exactly when the message was delivered",
    setExactlyIn("delivered_at", ["delivered", "complained"], unspecified),
    { needs: emailNeeds },
  ),
  check(
    "LOOK-12",
    "a record has the time of the bounce exactly when the message bounced",
    setExactlyIn("bounced_at", ["bounced"], unspecified),
    { needs: emailNeeds },
  ),
  check(
    "LOOK-13",
    "a record has the time of the complaint exactly when there was one",
    setExactlyIn("complained_at", ["complained"], unspecified),
    { needs: emailNeeds },
  ),
  check(
    "LOOK-14",
    "a record has a bounce exactly when the message bounced",
    setExactlyIn("bounce", ["bounced"], unspecified),
    { needs: emailNeeds },
  ),
  check(
    "LOOK-15",
    "a message that was sent has a history",
    async (tester) => {
      const { lookups } = await trackedMessage(tester, "success");
      const found = latest(lookups);
      const { events } = bodyOf(found);
      assert(Array.isArray(events) && events.length > 0 && events.every(isObject), found, {
        expected: "an event at least, and nothing but events",
        found: format(events),
      });
    },
    { needs: emailNeeds },
  ),
];
