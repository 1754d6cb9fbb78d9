import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { idInBatch } from "./batches.ts";
import { follow, isOver, journey, mailNeeds } from "./journeys.ts";
import { bodyOf, format, type SimulatedRecipient } from "./kit.ts";
import { hasTime, isNull, lastOf, shows, statusIn } from "./records.ts";

const needs = mailNeeds;

/** What is seen of mail to a simulated recipient, sent on its own and in a batch. */
const each = (local: SimulatedRecipient, holds: (looks: readonly Exchange[]) => void): TestCase[] => [
  {
    title: "sendEmail",
    operation: "sendEmail",
    core: true,
    run: async (tester) => holds((await journey(tester, local)).looks),
  },
  {
    title: "sendBatch",
    operation: "sendBatch",
    run: async (tester) => holds(await inBatch(tester, local)),
  },
];

const inBatch = async (tester: Tester, local: SimulatedRecipient): Promise<Exchange[]> =>
  follow(tester, await idInBatch(tester, local), isOver(local), {
    deadline: tester.settings.deadlines.delivery,
  });

export const simulator: Check[] = [
  check(
    "SIM-1",
    "mail to the simulated recipient success is delivered",
    each("success", (looks) => {
      shows(lastOf(looks), "delivered");
      hasTime(lastOf(looks), "delivered_at");
    }),
    { needs },
  ),
  check(
    "SIM-2",
    "mail to the simulated recipient bounce bounces for good",
    each("bounce", (looks) => {
      const found = lastOf(looks);
      shows(found, "bounced");
      const bounce = bodyOf(found).bounce as { permanent?: unknown } | null | undefined;
      assert(bounce?.permanent === true, found, {
        expected: "a bounce that is permanent",
        found: format(bounce),
      });
      for (const look of looks) neverDelivered(look);
    }),
    { needs },
  ),
  check(
    "SIM-3",
    "mail to the simulated recipient complaint is delivered and then marked as spam",
    each("complaint", (looks) => {
      shows(lastOf(looks), "complained");
      hasTime(lastOf(looks), "delivered_at");
    }),
    { needs },
  ),
  check(
    "SIM-4",
    "mail to the simulated recipient suppressionlist is never delivered",
    // The state that it ends in is not said.
    each("suppressionlist", (looks) => {
      for (const look of looks) neverDelivered(look);
    }),
    { needs },
  ),
];

function neverDelivered(look: Exchange): void {
  assert(!["delivered", "complained"].includes(statusIn(look)), look, {
    expected: "a status other than delivered",
    found: statusIn(look),
  });
  isNull(look, "delivered_at", "for mail that is refused");
}
