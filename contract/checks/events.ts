import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, testCase, withNeeds } from "../engine/check.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, format } from "../support/assertions.ts";
import { eventsOf, eventsOfType, latest } from "../support/message-records.ts";
import { emailNeeds } from "../support/messages.ts";
import { trackedInBatch } from "../support/sent-batch.ts";
import { trackedMessage } from "../support/tracked-messages.ts";

export const events: Check[] = withNeeds(emailNeeds, [
  check("EVENT-1", "an event has a type, a time and a detail", async (tester) => {
    for (const local of ["success", "bounce", "complaint"] as const)
      for (const lookup of (await trackedMessage(tester, local)).lookups)
        for (const event of eventsOf(lookup)) {
          const { type, at, detail } = event;
          const holds =
            typeof type === "string" &&
            typeof at === "string" &&
            !Number.isNaN(Date.parse(at)) &&
            (detail === null || typeof detail === "string");
          assert(holds, lookup, {
            expected: "an event with a type, a time at, and a detail that is a text or null",
            found: format(event),
          });
        }
  }),
  check("EVENT-2", "an event of type sent has no detail", async (tester) => {
    for (const local of ["success", "bounce"] as const) {
      const found = latest((await trackedMessage(tester, local)).lookups);
      for (const { detail } of eventsOfType(found, "sent"))
        assert(detail === null, found, { expected: "detail null", found: format(detail) });
    }
  }),
  check("EVENT-3", "an event of type bounced has the diagnostic text as its detail", [
    testCase("sendEmail", { operation: "sendEmail", core: true }, async (tester) =>
      assertDiagnostic(latest((await trackedMessage(tester, "bounce")).lookups)),
    ),
    testCase("sendBatch", { operation: "sendBatch" }, async (tester) =>
      assertDiagnostic(latest(await trackedInBatch(tester, "bounce"))),
    ),
  ]),
]);

function assertDiagnostic(found: Exchange): void {
  const [event] = eventsOfType(found, "bounced");
  const bounce = bodyOf(found).bounce as { diagnostic?: unknown } | null | undefined;
  if (event === undefined || typeof bounce?.diagnostic !== "string")
    throw new NotVerified("No message has both a bounce and an event of type bounced.");
  const holds = typeof event.detail === "string" && event.detail.includes(bounce.diagnostic);
  assert(holds, found, {
    expected: `detail ${format(bounce.diagnostic)}`,
    found: format(event.detail),
  });
}
