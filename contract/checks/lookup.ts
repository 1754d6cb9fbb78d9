import { lifecycles, type PropertyStates } from "../../generated/lifecycles.ts";
import { limits } from "../../generated/limits.ts";
import { isObject } from "../../lib/objects.ts";
import { assert } from "../engine/assert.ts";
import { type Check, caseOf, check, type Need, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import {
  assertEqual,
  assertError,
  assertProperty,
  bodyOf,
  format,
  requestOk,
} from "../support/assertions.ts";
import {
  assertNull,
  assertTimestamp,
  batchEntries,
  batchOf,
  emailNeeds,
  idInBatch,
  latest,
  lookUpMessage,
  message,
  newRecipient,
  pollUntilSent,
  schedule,
  send,
  sentBatch,
  simulatedRecipient,
  statusOf,
  trackedInBatch,
  trackedMessage,
  unordered,
} from "../support/messages.ts";
import { days, hour, scheduledMessage } from "../support/scheduled-messages.ts";

/** The property of the record equals what was sent. */
const fieldCases = (field: string): TestCase[] => [
  testCase("a sent message", { core: true }, async (tester) => {
    const { body, lookups } = await trackedMessage("success")(tester);
    for (const lookup of lookups) assertEqual(lookup, field, valueIn(lookup, field), fieldOf(body, field));
  }),
  testCase("a scheduled message", async (tester) => {
    const { body, lookup } = await scheduledMessage(tester);
    assertEqual(lookup, field, valueIn(lookup, field), fieldOf(body, field));
  }),
  testCase("a message of a batch", async (tester) => {
    const { messages } = await sentBatch(tester);
    const lookup = await lookUpMessage(tester, await idInBatch(tester, "bounce"));
    assertEqual(lookup, field, valueIn(lookup, field), fieldOf(messages[1] ?? {}, field));
  }),
];

const valueIn = (lookup: Exchange, field: string): unknown => fieldOf(bodyOf(lookup), field);
const fieldOf = (record: Record<string, unknown>, field: string): unknown =>
  field === "to" ? unordered(record.to) : record[field];

/** The property of the record equals this value after a send with it. */
async function assertKept(tester: Tester, field: string, value: unknown): Promise<void> {
  const lookup = await requestOk(tester, "getEmail", {
    path: { id: await send(tester, { [field]: value }) },
  });
  assertEqual(lookup, field, valueIn(lookup, field), fieldOf({ [field]: value }, field));
}

/** In days; long enough that the send is well after the day of the request. */
const daysAhead = 20;

/** Messages are found until an hour before the end of the lookup window, and not an hour after it. */
async function assertLookupWindow(tester: Tester, ...ids: string[]): Promise<void> {
  await tester.hook("advanceClock", { seconds: limits.messageLookup * days - hour });
  for (const id of ids) {
    const lookup = await lookUpMessage(tester, id);
    assertProperty(lookup, "id", id);
  }
  await tester.hook("advanceClock", { seconds: 2 * hour });
  for (const id of ids) assertError(await tester.request("getEmail", { path: { id } }), 404, "not_found");
}

const byOtherAccount = { key: "otherAccount", needs: ["keys.otherAccount", ...emailNeeds] } as const;

const notFoundCase = (
  title: string,
  idOf: (tester: Tester) => Promise<string>,
  { key = "full", ...options }: { key?: Role; core?: boolean; needs?: readonly Need[] } = {},
): TestCase =>
  testCase(title, options, async (tester) =>
    assertError(
      await tester.request("getEmail", { path: { id: await idOf(tester) }, key }),
      404,
      "not_found",
    ),
  );

export const lookup: Check[] = [
  ...withNeeds(emailNeeds, [
    check("LOOK-1", "looking up a message returns its record", async (tester) => {
      const { id, lookups } = await trackedMessage("success")(tester);
      const found = latest(lookups);
      const record = bodyOf(found);
      assert("id" in record && "status" in record && "events" in record, found, {
        expected: `the record of the message ${id}`,
        found: format(record),
      });
    }),
    check("LOOK-2", "a record has the id it is looked up by", [
      testCase("a sent message", { core: true }, async (tester) => {
        const { id, lookups } = await trackedMessage("success")(tester);
        for (const lookup of lookups) assertProperty(lookup, "id", id);
      }),
      caseOf(scheduledMessage, "a scheduled message", ({ id, lookup }) => assertProperty(lookup, "id", id)),
    ]),
    check("LOOK-3", "a record has the from address of the message", fieldCases("from")),
    check("LOOK-4", "a record has the recipients of the message", [
      ...fieldCases("to"),
      testCase("three recipients", { needs: ["recipientDomain"] }, (tester) =>
        assertKept(
          tester,
          "to",
          [1, 2, 3].map(() => newRecipient(tester)),
        ),
      ),
    ]),
    check("LOOK-5", "a record has the subject of the message", [
      ...fieldCases("subject"),
      testCase("the maximum length", (tester) =>
        assertKept(tester, "subject", "Order ".padEnd(limits.subjectLength, "1042")),
      ),
    ]),
    check("LOOK-6", "a record has the tags of the message unchanged", [
      ...fieldCases("tags"),
      testCase("values of the maximum length", (tester) =>
        assertKept(tester, "tags", { order: "1".repeat(limits.messageTagValueLength) }),
      ),
      testCase("no tags", async (tester) => {
        const lookup = await requestOk(tester, "getEmail", {
          path: { id: await tester.once("a sent message", send) },
        });
        assertProperty(lookup, "tags", {});
      }),
    ]),
    check(
      "LOOK-22",
      "a message can be looked up until the lookup window has passed since it was sent",
      { tags: ["clock"], needs: ["hooks.advanceClock"] },
      [
        testCase("immediate sends, and a message of a batch", { core: true }, async (tester) => {
          const [entry] = batchEntries(
            await requestOk(tester, "sendBatch", { body: batchOf(message(tester)) }),
          );
          const id = String(entry?.id);
          await pollUntilSent(tester, id);
          const [bounced, complained] = await Promise.all(
            (["bounce", "complaint"] as const).map((local) =>
              send(tester, { to: [simulatedRecipient(tester, local)] }),
            ),
          );
          await assertLookupWindow(tester, await send(tester), id, String(bounced), String(complained));
        }),
        testCase("a scheduled message, counted from its send", { core: false }, async (tester) => {
          const id = await schedule(tester, daysAhead * days);
          await tester.hook("advanceClock", { seconds: daysAhead * days + 60 });
          await pollUntilSent(tester, id);
          await assertLookupWindow(tester, id);
        }),
      ],
    ),
  ]),
  check("LOOK-23", "an id of no message of the account is rejected with 404 not_found", [
    notFoundCase("a nonexistent id", async ({ run }) => `none-${run.unique()}`, { core: true }),
    notFoundCase("a nonexistent id of a scheduled message", async ({ run }) => `sched_${run.unique()}`),
    notFoundCase(
      "a message of another account",
      async (tester) => (await trackedMessage("success")(tester)).id,
      { core: true, ...byOtherAccount },
    ),
    notFoundCase(
      "a scheduled message of another account",
      async (tester) => (await scheduledMessage(tester)).id,
      byOtherAccount,
    ),
    notFoundCase(
      "a message of a batch of another account",
      (tester) => idInBatch(tester, "success"),
      byOtherAccount,
    ),
  ]),
];

const locals = ["success", "bounce", "complaint"] as const;

/** All records of messages to simulated recipients, including those before the final status. */
async function allLookups(tester: Tester): Promise<Exchange[]> {
  const ways = await Promise.all(locals.map((local) => trackedMessage(local)(tester)));
  return ways.flatMap(({ lookups }) => lookups);
}

async function batchLookups(tester: Tester): Promise<Exchange[]> {
  return (await Promise.all(locals.map((local) => trackedInBatch(local)(tester)))).flat();
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
    caseOf(scheduledMessage, "a scheduled message", ({ lookup, at }) =>
      assertTimestamp(lookup, "scheduled_at", at),
    ),
    testCase("null for an immediate send", { core: true }, async (tester) => {
      const { lookups } = await trackedMessage("success")(tester);
      for (const lookup of lookups)
        assertNull(lookup, "scheduled_at", "for a message that was not scheduled");
    }),
  ]),
  check("LOOK-10", "a record has the time of sending once the message is sent", [
    ...statesOf("sent_at"),
    caseOf(scheduledMessage, "null while scheduled", ({ lookup }) =>
      assertNull(lookup, "sent_at", "before it is sent"),
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
    const { lookups } = await trackedMessage("success")(tester);
    const found = latest(lookups);
    const { events } = bodyOf(found);
    assert(Array.isArray(events) && events.length > 0 && events.every(isObject), found, {
      expected: "at least one event, and nothing but events",
      found: format(events),
    });
  }),
]);
