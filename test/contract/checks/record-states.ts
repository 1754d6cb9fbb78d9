import { isObject } from "../cases/place.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { gone, journey, mailNeeds } from "./journeys.ts";
import { bodyOf, format } from "./kit.ts";
import { isNull, lastOf, statusIn } from "./records.ts";
import { atHand, scheduledMessage } from "./scheduled.ts";

/** Every record of the messages to simulated recipients, those on their way included. */
async function allSeen(tester: Tester): Promise<Exchange[]> {
  const ways = await Promise.all(
    (["success", "bounce", "complaint"] as const).map((local) => journey(tester, local)),
  );
  return ways.flatMap(({ looks }) => looks);
}

/** A field is set exactly where the status is one of some; where it may be either, nothing is said. */
const exactly =
  (field: string, set: readonly string[], open: readonly string[] = []) =>
  async (tester: Tester): Promise<void> => {
    for (const look of await allSeen(tester)) {
      const status = statusIn(look);
      if (set.includes(status)) isSet(look, field, status);
      else if (!open.includes(status)) isNull(look, field, `while the message is ${status}`);
    }
  };

function isSet(look: Exchange, field: string, status: string): void {
  const value = bodyOf(look)[field];
  assert(value !== null && value !== undefined, look, {
    expected: `${field} of a message that is ${status}`,
    found: format(value),
  });
}

/** States of which it is not said what comes before and after them. */
const unspecified = ["queued", "delayed", "rejected", "failed", "canceled"];
/** States that come after the one of being sent. */
const sent = gone.filter((status) => !unspecified.includes(status));

/** What a record says of the state of its message, and of how it came there. */
export const recordStates: Check[] = [
  check(
    "LOOK-8",
    "a record explains its status in words",
    async (tester) => {
      for (const look of await allSeen(tester)) {
        const { status_description: words } = bodyOf(look);
        assert(typeof words === "string" && /\S/.test(words), look, {
          expected: "words in status_description",
          found: format(words),
        });
      }
    },
    { needs: mailNeeds },
  ),
  check(
    "LOOK-9",
    "a record has the time that the message was scheduled for",
    [
      {
        title: "of a message that waits for its time",
        core: true,
        run: async (tester) => {
          const { look, at } = await scheduledMessage(tester);
          atHand(look, "scheduled_at", at);
        },
      },
      {
        title: "null for a message that was sent at once",
        core: true,
        run: async (tester) => {
          const { looks } = await journey(tester, "success");
          for (const look of looks) isNull(look, "scheduled_at", "for a message that was not scheduled");
        },
      },
    ],
    { needs: mailNeeds },
  ),
  check(
    "LOOK-10",
    "a record has the time of sending, once the message is sent",
    [
      { title: "set when it is sent", core: true, run: exactly("sent_at", sent, unspecified) },
      {
        title: "null while it waits for its time",
        core: true,
        run: async (tester) => isNull((await scheduledMessage(tester)).look, "sent_at", "before it is sent"),
      },
    ],
    { needs: mailNeeds },
  ),
  check(
    "LOOK-11",
    "a record has the time of delivery exactly when the message was delivered",
    exactly("delivered_at", ["delivered", "complained"], unspecified),
    { needs: mailNeeds },
  ),
  check(
    "LOOK-12",
    "a record has the time of the bounce exactly when the message bounced",
    exactly("bounced_at", ["bounced"], unspecified),
    { needs: mailNeeds },
  ),
  check(
    "LOOK-13",
    "a record has the time of the complaint exactly when there was one",
    exactly("complained_at", ["complained"], unspecified),
    { needs: mailNeeds },
  ),
  check(
    "LOOK-14",
    "a record has a bounce exactly when the message bounced",
    exactly("bounce", ["bounced"], unspecified),
    { needs: mailNeeds },
  ),
  check(
    "LOOK-15",
    "a message that was sent has a history",
    async (tester) => {
      const { looks } = await journey(tester, "success");
      const found = lastOf(looks);
      const { events } = bodyOf(found);
      assert(Array.isArray(events) && events.length > 0 && events.every(isObject), found, {
        expected: "an event at least, and nothing but events",
        found: format(events),
      });
    },
    { needs: mailNeeds },
  ),
];
