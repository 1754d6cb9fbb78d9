import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import { journey, mailNeeds } from "./journeys.ts";
import { bodyOf, format } from "./kit.ts";
import { allEventsIn, eventsIn, lastOf } from "./records.ts";

const needs = mailNeeds;

export const events: Check[] = [
  check(
    "EVENT-1",
    "an event has a type, a time and a detail",
    async (tester) => {
      for (const local of ["success", "bounce", "complaint"] as const)
        for (const look of (await journey(tester, local)).looks)
          for (const event of allEventsIn(look)) {
            const { type, at, detail } = event;
            const holds =
              typeof type === "string" &&
              typeof at === "string" &&
              !Number.isNaN(Date.parse(at)) &&
              (detail === null || typeof detail === "string");
            assert(holds, look, {
              expected: "an event with a type, a time at, and a detail that is a text or null",
              found: format(event),
            });
          }
    },
    { needs },
  ),
  check(
    "EVENT-2",
    "an event of the type sent has no detail",
    async (tester) => {
      for (const local of ["success", "bounce"] as const) {
        const found = lastOf((await journey(tester, local)).looks);
        for (const { detail } of eventsIn(found, "sent"))
          assert(detail === null, found, { expected: "the detail null", found: format(detail) });
      }
    },
    { needs },
  ),
  check(
    "EVENT-3",
    "an event of the type bounced has the diagnostic text as its detail",
    async (tester) => {
      const found = lastOf((await journey(tester, "bounce")).looks);
      const [event] = eventsIn(found, "bounced");
      const bounce = bodyOf(found).bounce as { diagnostic?: unknown } | null | undefined;
      if (event === undefined || typeof bounce?.diagnostic !== "string")
        throw new NotVerified("No message has a bounce and an event that tells of it.");
      const holds = typeof event.detail === "string" && event.detail.includes(bounce.diagnostic);
      assert(holds, found, {
        expected: `the detail ${format(bounce.diagnostic)}`,
        found: format(event.detail),
      });
    },
    { needs },
  ),
];
