import { type Check, check } from "../engine/check.ts";
import { must, NotVerified } from "../engine/promise.ts";
import { journey, mailNeeds } from "./journeys.ts";
import { objectIn, shown } from "./kit.ts";
import { allEventsIn, eventsIn, lastOf } from "./records.ts";

const needs = mailNeeds;

export const events: Check[] = [
  check("EVENT-1", "an event has a type, a time and a detail", { needs }, async (tester) => {
    for (const local of ["success", "bounce", "complaint"] as const)
      for (const look of (await journey(tester, local)).looks)
        for (const event of allEventsIn(look)) {
          const { type, at, detail } = event;
          const holds =
            typeof type === "string" &&
            typeof at === "string" &&
            !Number.isNaN(Date.parse(at)) &&
            (detail === null || typeof detail === "string");
          must(holds, look, {
            expected: "an event with a type, a time at, and a detail that is a text or null",
            found: shown(event),
          });
        }
  }),
  check("EVENT-2", "an event of the type sent has no detail", { needs }, async (tester) => {
    for (const local of ["success", "bounce"] as const) {
      const found = lastOf((await journey(tester, local)).looks);
      for (const { detail } of eventsIn(found, "sent"))
        must(detail === null, found, { expected: "the detail null", found: shown(detail) });
    }
  }),
  check(
    "EVENT-3",
    "an event of the type bounced has the diagnostic text as its detail",
    { needs },
    async (tester) => {
      const found = lastOf((await journey(tester, "bounce")).looks);
      const [event] = eventsIn(found, "bounced");
      const bounce = objectIn(found).bounce as { diagnostic?: unknown } | null | undefined;
      if (event === undefined || typeof bounce?.diagnostic !== "string")
        throw new NotVerified("No message has a bounce and an event that tells of it.");
      const holds = typeof event.detail === "string" && event.detail.includes(bounce.diagnostic);
      must(holds, found, {
        expected: `the detail ${shown(bounce.diagnostic)}`,
        found: shown(event.detail),
      });
    },
  ),
];
