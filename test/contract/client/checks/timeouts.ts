import { NotVerified } from "../../engine/assert.ts";
import type { Called } from "../engine/called.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import type { ClientTester } from "../engine/client-tester.ts";
import { slow, stalls } from "../service/disturbances.ts";
import { newIdempotencyKey, newMessage } from "../support/calls.ts";

/** In milliseconds. */
const timeout = 500;
/** A client may need this long to end a call. */
const latest = timeout + 2_500;
/** The service responds later than that. */
const late = 6_000;

function mustHaveTimeouts({ capabilities }: ClientTester): void {
  if (!capabilities.timeouts) throw new NotVerified("The driver declares no timeouts.");
}

/** Asserts that a call ended at its timeout, with an error. */
function assertTimedOut(called: Called): void {
  const { kind } = called.error;
  called.assert(kind === "timeout" || kind === "connection", "an error of the kind timeout or connection");
  const { milliseconds } = called;
  called.assert(milliseconds < latest, `an error soon after ${timeout} ms`, `${Math.round(milliseconds)} ms`);
}

export const timeoutChecks: ClientCheck[] = [
  check(
    "ERR-15",
    "a call ends with an error at its timeout",
    [slow(late), stalls(late)].map((disturbance) =>
      testCase(`the service ${disturbance.title}`, { operation: "listNewsletterLists" }, async (tester) => {
        mustHaveTimeouts(tester);
        const disturb = Array(20).fill(disturbance);
        assertTimedOut(await tester.call("listNewsletterLists", { timeout, disturb }));
      }),
    ),
    { waits: true },
  ),
  check(
    ["IDEM-5", "IDEM-10"],
    "after a timeout, the same call with the same idempotency key sends nothing twice",
    [
      testCase("", { operation: "sendEmail" }, async (tester) => {
        mustHaveTimeouts(tester);
        const options = { body: newMessage(), idempotencyKey: newIdempotencyKey() };
        assertTimedOut(
          await tester.call("sendEmail", { ...options, timeout, disturb: Array(20).fill(slow(late)) }),
        );
        void (await tester.call("sendEmail", options)).result;
      }),
    ],
    { waits: true },
  ),
];
