import { type Check, check, type Trial } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { must } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { idInBatch } from "./batches.ts";
import { follow, isOver, journey, mailNeeds } from "./journeys.ts";
import { objectIn, type Simulated, shown } from "./kit.ts";
import { hasTime, isNull, lastOf, shows, statusIn } from "./records.ts";

const needs = mailNeeds;

/** What is seen of mail to a simulated recipient, sent on its own and in a batch. */
const each = (local: Simulated, holds: (looks: readonly Exchange[]) => void): Trial[] => [
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

const inBatch = async (tester: Tester, local: Simulated): Promise<Exchange[]> =>
  follow(tester, await idInBatch(tester, local), isOver(local), {
    deadline: tester.settings.deadlines.delivery,
  });

export const simulator: Check[] = [
  check(
    "SIM-1",
    "mail to the simulated recipient success is delivered",
    { needs },
    each("success", (looks) => {
      shows(lastOf(looks), "delivered");
      hasTime(lastOf(looks), "delivered_at");
    }),
  ),
  check(
    "SIM-2",
    "mail to the simulated recipient bounce bounces for good",
    { needs },
    each("bounce", (looks) => {
      const found = lastOf(looks);
      shows(found, "bounced");
      const bounce = objectIn(found).bounce as { permanent?: unknown } | null | undefined;
      must(bounce?.permanent === true, found, {
        expected: "a bounce that is permanent",
        found: shown(bounce),
      });
      for (const look of looks) neverDelivered(look);
    }),
  ),
  check(
    "SIM-3",
    "mail to the simulated recipient complaint is delivered and then marked as spam",
    { needs },
    each("complaint", (looks) => {
      shows(lastOf(looks), "complained");
      hasTime(lastOf(looks), "delivered_at");
    }),
  ),
  check(
    "SIM-4",
    "mail to the simulated recipient suppressionlist is never delivered",
    { needs },
    // The state that it ends in is not said.
    each("suppressionlist", (looks) => {
      for (const look of looks) neverDelivered(look);
    }),
  ),
];

function neverDelivered(look: Exchange): void {
  must(!["delivered", "complained"].includes(statusIn(look)), look, {
    expected: "a status other than delivered",
    found: statusIn(look),
  });
  isNull(look, "delivered_at", "for mail that is refused");
}
