import { lifecycles, type PropertyStates } from "../../generated/lifecycles.ts";
import { isObject } from "../../lib/objects.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, format } from "../support/assertions.ts";
import { assertNull, assertTimestamp, latest, statusOf } from "../support/message-records.ts";
import { emailNeeds } from "../support/messages.ts";
import { scheduledMessage } from "../support/scheduled-messages.ts";
import { trackedInBatch } from "../support/sent-batch.ts";
import { trackedMessage } from "../support/tracked-messages.ts";

const locals = ["success", "bounce", "complaint"] as const;

/** All records of messages to simulated recipients, including those before the final status. */
async function allLookups(tester: Tester): Promise<Exchange[]> {
  const ways = await Promise.all(locals.map((local) => trackedMessage(tester, local)));
  return ways.flatMap(({ lookups }) => lookups);
}

async function batchLookups(tester: Tester): Promise<Exchange[]> {
  return (await Promise.all(locals.map((local) => trackedInBatch(tester, local)))).flat();
}

const [record] = lifecycles.message.records;
const rows: readonly PropertyStates[] = record.properties;

/** Asserts that a property is set and null in the statuses that the document lists. */
const statesOf = (property: string): TestCase[] => {
  const own = rows.filter((row) => row.property === property);
  const run =
    (lookupsOf: (tester: Tester) => Promise<Exchange[]>): TestCase["run"] =>
    async (tester) => {
      for (const lookup of await lookupsOf(tester)) {
        const status = statusOf(lookup);
        if (own.some(({ set = [] }) => set.includes(status))) assertSet(lookup, property, status);
        else if (own.some(({ unset = [] }) => unset.includes(status)))
          assertNull(lookup, property, `while the message is ${status}`);
      }
    };
  return [
    testCase("single messages", { core: true }, run(allLookups)),
    testCase("messages of a batch", run(batchLookups)),
  ];
};

function assertSet(lookup: Exchange, field: string, status: string): void {
  const value = bodyOf(lookup)[field];
  assert(value !== null && value !== undefined, lookup, {
    expected: `${field} for a ${status} message`,
    found: format(value),
  });
}

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
    ...statesOf("sent_at"),
    testCase("null while scheduled", { core: true }, async (tester) =>
      assertNull((await scheduledMessage(tester)).lookup, "sent_at", "before it is sent"),
    ),
  ]),
  check(
    "LOOK-11",
    "a record has the time of delivery only if the message was delivered",
    statesOf("delivered_at"),
  ),
  check("LOOK-12", "a record has the time of the bounce only if the message bounced", statesOf("bounced_at")),
  check("LOOK-13", "a record has the time of the complaint only if there was one", statesOf("complained_at")),
  check("LOOK-14", "a record has a bounce only if the message bounced", statesOf("bounce")),
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
