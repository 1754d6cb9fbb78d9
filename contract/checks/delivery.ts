import { lifecycles } from "../../generated/lifecycles.ts";
import { schemas } from "../../generated/validators/responses.js";
import { isObject } from "../../lib/objects.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, caseOf, check, withNeeds } from "../engine/check.ts";
import type { Exchange } from "../exchange.ts";
import { assertProperty, bodyOf, format, type Json, requestOk } from "../support/assertions.ts";
import {
  assertNull,
  assertOrder,
  assertStatus,
  assertTime,
  emailNeeds,
  eventsOf,
  eventsOfType,
  latest,
  message,
  newRecipient,
  pollMessage,
  type SimulatedRecipient,
  send,
  simulatedRecipient,
  statusOf,
  trackedInBatch,
  trackedMessage,
} from "../support/messages.ts";
import { atTurnOfMonth } from "../support/quota.ts";
import { canceledMessage, scheduledMessage } from "../support/scheduled-messages.ts";

const { states, unspecified } = lifecycles.message;

/** Asserts the last status of a message, and the order of two of its times. */
const reaches =
  (status: string, [early, late]: [string, string]) =>
  (lookups: readonly Exchange[]): void => {
    const found = latest(lookups);
    assertStatus(found, status, "delivery");
    assertOrder(found, [early, assertTime(found, early)], [late, assertTime(found, late)]);
  };

/** Messages to a simulated recipient, single and in a batch. */
const simulatorCases = (local: SimulatedRecipient, holds: (lookups: readonly Exchange[]) => void) => [
  caseOf(trackedMessage(local), "sendEmail", { operation: "sendEmail" }, ({ lookups }) => holds(lookups)),
  caseOf(trackedInBatch(local), "sendBatch", { operation: "sendBatch", core: false }, holds),
];

const bounceOf = (record: Exchange) => bodyOf(record).bounce as Json | null | undefined;

export const delivery: Check[] = withNeeds(emailNeeds, [
  check("DELIV-1", "the status of a message is one of the documented ones", [
    caseOf(trackedMessage("success"), "a sent message", ({ last }) => assertStatus(last, states)),
    caseOf(scheduledMessage, "a scheduled message", ({ lookup }) => assertStatus(lookup, states)),
    caseOf(canceledMessage, "a canceled message", ({ lookup }) => assertStatus(lookup, states)),
  ]),
  check(
    ["DELIV-2", "DELIV-3", "SIM-1"],
    "a message that the receiving server accepts, as for the simulated recipient success, becomes delivered within the deadline",
    simulatorCases("success", reaches("delivered", ["sent_at", "delivered_at"])),
  ),
  atTurnOfMonth(
    "DELIV-3",
    "delivery of a message sent in the last minute of an hour, or a second before the month ends, is confirmed too",
    ({ sent, crossed, after }) => {
      for (const found of [sent, crossed]) {
        reaches("delivered", ["sent_at", "delivered_at"])([found]);
        const at = assertTime(found, "delivered_at");
        assertOrder(found, ["delivered_at", at], ["the time of a later response", after.serverTime ?? at]);
      }
    },
  ),
  check("DELIV-4", "a message is on its way right after the send", async (tester) => {
    for (const local of ["success", "complaint"] as const) {
      const [first] = (await trackedMessage(local)(tester)).lookups;
      // Usually sent; those that follow it may come early, and when a message has the unspecified ones is open.
      if (first !== undefined) assertStatus(first, ["sent", "delivered", "complained", ...unspecified]);
    }
  }),
  check("DELIV-5", "a message that the receiving server rejects becomes bounced", [
    caseOf(trackedMessage("bounce"), "", ({ last }) => {
      reaches("bounced", ["sent_at", "bounced_at"])([last]);
      const bounce = bounceOf(last);
      assert(isObject(bounce), last, { expected: "a bounce", found: format(bounce) });
    }),
  ]),
  check("DELIV-6", "a bounce appears in the events of the message", [
    caseOf(trackedMessage("bounce"), "", ({ last }) =>
      assert(eventsOfType(last, "bounced").length > 0, last, {
        expected: "an event of type bounced",
        found: format(bodyOf(last).events),
      }),
    ),
  ]),
  check(
    ["DELIV-7", "SIM-3"],
    "a delivered message reported as spam, as by the simulated recipient complaint, becomes complained",
    simulatorCases("complaint", reaches("complained", ["delivered_at", "complained_at"])),
  ),
]);

export const simulator: Check[] = withNeeds(emailNeeds, [
  check(
    "SIM-2",
    "a message to the simulated recipient bounce bounces permanently",
    simulatorCases("bounce", (lookups) => {
      const found = latest(lookups);
      assertStatus(found, "bounced", "delivery");
      const bounce = bounceOf(found);
      assert(bounce?.permanent === true, found, { expected: "a permanent bounce", found: format(bounce) });
      lookups.forEach(assertNeverDelivered);
    }),
  ),
  check(
    ["SIM-2", "SEND-34"],
    "after several bounces and complaints the simulated recipients, and others of their messages, are not suppressed",
    { needs: ["recipientDomain"], core: false, operation: "sendEmail" },
    async (tester) => {
      const copies = { cc: [newRecipient(tester)], bcc: [newRecipient(tester)] };
      for (const local of ["bounce", "complaint"] as const) {
        const to = [simulatedRecipient(tester, local)];
        for (const others of local === "bounce" ? [{}, {}, {}, copies] : [copies]) {
          const isOver = (status: string): boolean => ["bounced", "complained"].includes(status);
          await pollMessage(tester, await send(tester, { to, ...others }), isOver, "dispatch");
        }
        const body = message(tester, { to, ...copies });
        assertProperty(await requestOk(tester, "sendEmail", { body }), "suppressed", []);
      }
    },
  ),
  check(
    "SIM-4",
    "a message to the simulated recipient suppressionlist is never delivered",
    // The final status is unspecified.
    simulatorCases("suppressionlist", (lookups) => lookups.forEach(assertNeverDelivered)),
  ),
]);

function assertNeverDelivered(lookup: Exchange): void {
  assert(!["delivered", "complained"].includes(statusOf(lookup)), lookup, {
    expected: "a status other than delivered",
    found: statusOf(lookup),
  });
  assertNull(lookup, "delivered_at", "for a message that is not delivered");
}

export const events: Check[] = withNeeds(emailNeeds, [
  check("EVENT-1", "an event has a type, a time and a detail", [
    caseOf(trackedMessage("bounce"), "", ({ last }) => {
      if (eventsOf(last).length === 0) throw new NotVerified("The message has no events.");
      for (const event of eventsOf(last))
        assert(schemas.MessageEvent(event), last, {
          expected: "an event with a type, a time at, and a detail that is a text or null",
          found: format(event),
        });
    }),
  ]),
  check(
    ["EVENT-3", "LOOK-21"],
    "an event of type bounced has the diagnostic text as its detail",
    simulatorCases("bounce", (lookups) => {
      const found = latest(lookups);
      const [event] = eventsOfType(found, "bounced");
      const { diagnostic } = bounceOf(found) ?? {};
      if (event === undefined || typeof diagnostic !== "string")
        throw new NotVerified("No message has both a bounce and an event of type bounced.");
      const expected = `detail with ${format(diagnostic)}`;
      const isRight = String(event.detail).includes(diagnostic.trim());
      assert(isRight, found, { expected, found: format(event.detail) });
    }),
  ),
]);
