import type { Called } from "../engine/called.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import type { ClientTester } from "../engine/client-tester.ts";
import type { CallOptions } from "../engine/make-call.ts";
import { slow, stalls } from "../service/disturbances.ts";
import type { Disturbance } from "../service/wire.ts";
import { newIdempotencyKey, newMessage } from "../support/calls.ts";
import { retryTimeout } from "../support/replies.ts";

/** In milliseconds. */
const timeout = 500;
/** A client may need this long to end a call. */
const latest = timeout + 2_500;
/** The service responds later than that. */
const late = 6_000;

/** What makes a call late: for a client without timeouts, one late response is all that it waits for. */
const lateOptions = ({ capabilities }: ClientTester, disturbance: Disturbance): CallOptions =>
  capabilities.timeouts
    ? { timeout, disturb: Array(20).fill(disturbance) }
    : { disturb: [disturbance], replyTimeout: retryTimeout };

/** Notes that a call did not end at its timeout, which no requirement says. */
function adviseTimeout({ information }: ClientTester, called: Called): void {
  if (called.call.timeout !== undefined && called.milliseconds > latest)
    information.add("The client does not end a call at its timeout, although its driver declares timeouts.");
}

export const timeoutChecks: ClientCheck[] = [
  check(
    "ERR-15",
    "after a late response, a call ends with a result or an error",
    [slow(late), stalls(late)].map((disturbance) =>
      testCase(`the service ${disturbance.title}`, { operation: "listNewsletterLists" }, async (tester) => {
        const called = await tester.call("listNewsletterLists", lateOptions(tester, disturbance));
        called.assert(called.reply !== undefined, "a result or an error");
        adviseTimeout(tester, called);
      }),
    ),
    { waits: true },
  ),
  check(
    ["IDEM-5", "IDEM-10"],
    "after a timeout, the same call with the same idempotency key sends nothing twice",
    [
      testCase("", { operation: "sendEmail" }, async (tester) => {
        const options = { body: newMessage(), idempotencyKey: newIdempotencyKey() };
        const called = await tester.call("sendEmail", {
          ...options,
          ...lateOptions(tester, slow(late)),
        });
        adviseTimeout(tester, called);
        void (await tester.call("sendEmail", options)).about("IDEM-10").result;
      }),
    ],
    { waits: true },
  ),
  check(
    "IDEM-5",
    "after a timeout, a call without a given idempotency key is not repeated without one",
    [
      testCase("", { operation: "sendEmail" }, async (tester) => {
        const called = await tester.call("sendEmail", {
          body: newMessage(),
          ...lateOptions(tester, slow(late)),
        });
        called.assert(called.reply !== undefined, "a result or an error");
      }),
    ],
    { waits: true },
  ),
];
