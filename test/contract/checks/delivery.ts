import { lifecycles } from "../../../generated/lifecycles.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import { isSuccess } from "../engine/exchange.ts";
import { batchJourney } from "./batches.ts";
import { journey, mailNeeds } from "./journeys.ts";
import { bodyOf, format } from "./kit.ts";
import { eventsIn, hasTime, inOrder, lastOf, shows } from "./records.ts";
import { canceledMessage, scheduledMessage } from "./scheduled.ts";

const needs = mailNeeds;

/** Every state that a message can be in. */
const { states } = lifecycles.message;

export const delivery: Check[] = [
  check(
    "DELIV-1",
    "a message is in one of the states that there are",
    [
      {
        title: "on its way",
        core: true,
        run: async (tester) => {
          for (const local of ["success", "bounce", "complaint", "suppressionlist"] as const)
            for (const look of (await journey(tester, local)).looks) shows(look, ...states);
        },
      },
      {
        title: "scheduled, and canceled",
        core: true,
        run: async (tester) => {
          shows((await scheduledMessage(tester)).look, ...states);
          shows((await canceledMessage(tester)).look, ...states);
        },
      },
      {
        title: "in a batch",
        run: async (tester) => {
          for (const look of (await batchJourney(tester)).looks) if (isSuccess(look)) shows(look, ...states);
        },
      },
    ],
    { needs },
  ),
  check(
    "DELIV-2",
    "a message that the receiving side confirms becomes delivered",
    async (tester) => {
      const found = lastOf((await journey(tester, "success")).looks);
      shows(found, "delivered");
      const [sent, delivered] = [hasTime(found, "sent_at"), hasTime(found, "delivered_at")];
      inOrder(found, ["sent_at", sent], ["delivered_at", delivered]);
    },
    { needs },
  ),
  check(
    "DELIV-3",
    "delivery to a simulated recipient is confirmed within the deadline",
    async (tester) => {
      shows(lastOf((await journey(tester, "success")).looks), "delivered");
    },
    { needs },
  ),
  check(
    "DELIV-4",
    "right after it was sent a message is on its way",
    async (tester) => {
      for (const local of ["success", "complaint"] as const) {
        const [first] = (await journey(tester, local)).looks;
        // Usually it is sent; what else it may be then is not said, but for what others have promised.
        if (first !== undefined) shows(first, "sent", "queued", "delayed", "delivered", "complained");
      }
    },
    { needs },
  ),
  check(
    "DELIV-5",
    "a message that the receiving server refuses becomes bounced",
    async (tester) => {
      const found = lastOf((await journey(tester, "bounce")).looks);
      shows(found, "bounced");
      const [sent, bounced] = [hasTime(found, "sent_at"), hasTime(found, "bounced_at")];
      inOrder(found, ["sent_at", sent], ["bounced_at", bounced]);
      const { bounce } = bodyOf(found);
      assert(typeof bounce === "object" && bounce !== null, found, {
        expected: "a bounce",
        found: format(bounce),
      });
    },
    { needs },
  ),
  check(
    "DELIV-6",
    "a bounce is in the history of the message",
    async (tester) => {
      const found = lastOf((await journey(tester, "bounce")).looks);
      assert(eventsIn(found, "bounced").length > 0, found, {
        expected: "an event of the type bounced",
        found: format(bodyOf(found).events),
      });
    },
    { needs },
  ),
  check(
    "DELIV-7",
    "a delivered message that is marked as spam becomes complained",
    async (tester) => {
      const found = lastOf((await journey(tester, "complaint")).looks);
      shows(found, "complained");
      const [delivered, complained] = [hasTime(found, "delivered_at"), hasTime(found, "complained_at")];
      inOrder(found, ["delivered_at", delivered], ["complained_at", complained]);
    },
    { needs },
  ),
];
