import { limits } from "../../generated/limits.ts";
import { differenceOf } from "../difference.ts";
import { assert } from "../engine/assert.ts";
import { type Check, caseOf, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import { isInRun } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { isSuccess } from "../exchange.ts";
import {
  assertEqual,
  assertError,
  assertProperty,
  assertSuccess,
  bodyOf,
  format,
  requestOk,
} from "../support/assertions.ts";
import { isSameText } from "../support/kept-values.ts";
import {
  assertNull,
  assertTimestamp,
  batchEntries,
  batchOf,
  emailNeeds,
  eventsOfType,
  hour,
  largestBatch,
  lookUpMessage,
  message,
  pollUntilSent,
  reschedule,
  schedule,
  send,
  simulatedRecipient,
  trackedMessage,
  unordered,
} from "../support/messages.ts";
import { atTurnOfMonth } from "../support/quota.ts";
import { days, scheduledMessage } from "../support/scheduled-messages.ts";
import { contrasted, duration } from "../text.ts";

/** The property of the record equals what was sent. */
const fieldCases = (field: string): TestCase[] => [
  caseOf(trackedMessage("success"), "a sent message", ({ body, lookups }) => {
    for (const lookup of lookups)
      assertEqual(lookup, field, fieldOf(bodyOf(lookup), field), fieldOf(body, field));
  }),
  caseOf(largestBatch, "the messages of the largest batch", { core: false }, ({ messages, lookups }) => {
    for (const [index, lookup] of lookups.entries())
      if (isSuccess(lookup)) {
        const sent: Record<string, unknown> = { tags: {}, ...messages[index] };
        const found = fieldOf(bodyOf(lookup), field, [sent.cc].flat());
        const { at = "", one, other } = differenceOf(fieldOf(sent, field), found) ?? {};
        const isSame = field === "subject" && isSameText(String(sent.subject), found);
        assert(isSame || one === other, lookup, {
          expected: `${field}${at.replaceAll("/", ".")} of message ${index}: ${contrasted(one, other)}`,
          found: contrasted(other, one),
        });
      }
  }),
];

/** @param copied those that a record may list among the recipients or not */
const fieldOf = (record: Record<string, unknown>, field: string, copied: unknown[] = []): unknown =>
  field === "to" ? unordered([record.to].flat().filter((one) => !copied.includes(one))) : record[field];

/** In days; long enough that the send is well after the day of the request. */
const daysAhead = 20;

/** Messages are found until an hour before the end of the lookup window, and not an hour after it. */
async function assertLookupWindow(tester: Tester, messages: Record<string, string>): Promise<void> {
  const seconds = limits.messageLookup * days - hour;
  await tester.hook("advanceClock", { seconds });
  for (const [what, id] of Object.entries(messages)) {
    const found = await tester.request("getEmail", { path: { id } });
    assertSuccess(found, `success for ${what}, ${duration(seconds * 1000)} after it was sent`);
    assertProperty(found, "id", id);
  }
  await tester.hook("advanceClock", { seconds: 2 * hour });
  for (const id of Object.values(messages))
    assertError(await tester.request("getEmail", { path: { id } }), 404, "not_found");
}

export const lookup: Check[] = [
  ...withNeeds(emailNeeds, [
    check(["LOOK-1", "LOOK-2"], "looking up a message returns the record with its id", [
      caseOf(trackedMessage("success"), "a sent message", ({ id, lookups }) => {
        for (const lookup of lookups) assertProperty(lookup, "id", id);
      }),
      caseOf(scheduledMessage, "a scheduled message", ({ id, lookup }) => assertProperty(lookup, "id", id)),
    ]),
    check("LOOK-3", "a record has the from address of the message", fieldCases("from")),
    check("LOOK-4", "a record has the recipients of the message", fieldCases("to")),
    check("LOOK-5", "a record has the subject of the message", fieldCases("subject")),
    check("LOOK-6", "a record has the tags of the message unchanged", [
      ...fieldCases("tags"),
      testCase("no tags", async (tester) => {
        const id = await tester.once("a sent message", send);
        assertProperty(await lookUpMessage(tester, id), "tags", {});
      }),
    ]),
    atTurnOfMonth(["LOOK-1", "LOOK-22"], "a message of the month before can be looked up", ({ lookup }) =>
      assertSuccess(lookup),
    ),
    check(
      "LOOK-22",
      "a message can be looked up until the lookup window has passed since it was sent",
      { tags: ["clock"], needs: ["hooks.advanceClock"] },
      [
        testCase("immediate sends, and a message of a batch", { core: true }, async (tester) => {
          const inBatch: Record<string, string> = {};
          if (isInRun(tester.settings, "sendBatch")) {
            const batch = await requestOk(tester, "sendBatch", { body: batchOf(message(tester)) });
            const id = String(batchEntries(batch)[0]?.id);
            await pollUntilSent(tester, id);
            inBatch["a message of a batch"] = id;
          }
          const sendTo = (local: "bounce" | "complaint") =>
            send(tester, { to: [simulatedRecipient(tester, local)] });
          await assertLookupWindow(tester, {
            "a message to bounce@": await sendTo("bounce"),
            "a message to complaint@": await sendTo("complaint"),
            "an immediate send": await send(tester),
            ...inBatch,
          });
        }),
        testCase("a rescheduled message, counted from its send", { core: false }, async (tester) => {
          const id = await schedule(tester, hour);
          await reschedule(tester, id, daysAhead * days);
          await tester.hook("advanceClock", { seconds: daysAhead * days + 60 });
          await pollUntilSent(tester, id);
          await assertLookupWindow(tester, { "a scheduled message": id });
        }),
      ],
    ),
  ]),
];

/** How a record describes how its message got to its status. What a status sets and clears is checked in every response. */
export const recordStates: Check[] = withNeeds(emailNeeds, [
  check("LOOK-9", "a record has the scheduled time", [
    caseOf(scheduledMessage, "a scheduled message", ({ lookup, at }) =>
      assertTimestamp(lookup, "scheduled_at", at),
    ),
    caseOf(trackedMessage("success"), "null for an immediate send", ({ lookups }) => {
      for (const lookup of lookups)
        assertNull(lookup, "scheduled_at", "for a message that was not scheduled");
    }),
  ]),
  check("LOOK-8", "a record has a status_description", [
    caseOf(trackedMessage("success"), "", ({ last }) => {
      const { status_description: words } = bodyOf(last);
      assert(typeof words === "string" && /\S/.test(words), last, {
        expected: "a text in status_description",
        found: format(words),
      });
    }),
  ]),
  check("LOOK-15", "a sent message has events", [
    caseOf(trackedMessage("success"), "one of the send to its recipient", ({ last }) =>
      assertEqual(last, "number of events of type sent", eventsOfType(last, "sent").length, 1),
    ),
  ]),
]);
