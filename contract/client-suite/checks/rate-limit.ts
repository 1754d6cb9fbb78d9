import type { OperationId } from "../../../generated/operations.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { errorResponse, respondsWith } from "../service/disturbances.ts";
import type { Disturbance } from "../service/wire.ts";
import { newMessage, sampleCall } from "../support/calls.ts";
import { assertError, retryTimeout } from "../support/replies.ts";

/** A rejection for the rate limit, with the given `Retry-After`, or without one. */
const rateLimited = (retryAfter?: string): Disturbance =>
  respondsWith(
    errorResponse(429, "rate_limited", {
      headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
    }),
    `responds with 429 rate_limited and ${retryAfter === undefined ? "no Retry-After" : `Retry-After: ${retryAfter}`}`,
  );

/** More requests than these, without a word on when to come back, keep the account at its limit. */
const mostRequests = 6;
/** In milliseconds: enough to see that a client waits. */
const shortTimeout = 3_000;
/** In milliseconds: a client that always waits equally long, whatever the header says, has mostly sent its next request by then. */
const longTimeout = 12_000;

const operations: OperationId[] = ["listNewsletterLists", "sendEmail", "unsubscribeContact"];

export const rateLimitChecks: ClientCheck[] = [
  check(
    "HEAD-9",
    "after a 429 rate_limited, a client waits as long as Retry-After says, in seconds",
    operations.map((operation) =>
      testCase(operation, { operation, core: operation === "sendEmail" }, async (tester) => {
        const body = operation === "sendEmail" ? { body: newMessage() } : {};
        // A client that waits after the first may ignore the second.
        const disturb = Array(operation === "sendEmail" ? 2 : 1).fill(rateLimited("1"));
        const called = await tester.call(operation, {
          ...sampleCall(operation),
          ...body,
          disturb,
          replyTimeout: retryTimeout,
        });
        // How often it retries is up to the client.
        if (called.wire.length <= disturb.length) assertError(called, 429, "rate_limited");
        else void called.result;
        if (called.wire.length === 1 && tester.capabilities.retries)
          tester.information.add(`The client does not retry ${operation} after a 429 rate_limited.`);
      }),
    ),
    { waits: true },
  ),
  check(
    "HEAD-9",
    "after a 429 rate_limited with a date in Retry-After, the call ends",
    [
      testCase("", { operation: "listNewsletterLists" }, async (tester) => {
        const until = new Date((Math.floor(Date.now() / 1000) + 3) * 1000).toUTCString();
        const disturb = [rateLimited(until)];
        const called = await tester.call("listNewsletterLists", { disturb, replyTimeout: retryTimeout });
        called.assert(called.reply !== undefined, "a result or an error");
        if ((called.wire[1]?.startedAt ?? Number.POSITIVE_INFINITY) < Date.parse(until) - 1000)
          tester.information.add("The client does not wait until a date in Retry-After.");
      }),
    ],
    { waits: true },
  ),
  check(
    "HEAD-9",
    "if Retry-After is an hour, no request follows",
    [
      testCase("", { operation: "listNewsletterLists" }, async (tester) => {
        const disturb = Array(20).fill(rateLimited("3600"));
        const called = await tester.call("listNewsletterLists", { disturb, replyTimeout: longTimeout });
        called.assert(called.wire.length === 1, "one request", `${called.wire.length} requests`);
        if (called.reply === undefined)
          tester.information.add("The client waits for an hour, without an error that tells its caller.");
        else called.assert("error" in called.reply, "an error");
      }),
    ],
    { waits: true },
  ),
  check(
    "HEAD-9",
    "after a 429 rate_limited without Retry-After, the call ends with the error",
    [
      testCase("", { operation: "listNewsletterLists" }, async (tester) => {
        const disturb = Array(50).fill(rateLimited());
        const called = await tester.call("listNewsletterLists", { disturb, replyTimeout: shortTimeout });
        if (called.wire.length > mostRequests)
          tester.information.add(
            `The client sends more than ${mostRequests} requests after a 429 without Retry-After.`,
          );
        if (called.reply !== undefined) assertError(called, 429, "rate_limited");
      }),
    ],
    { waits: true },
  ),
];
