import { limits as numbers } from "../../generated/limits.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, notInCore, testCase } from "../engine/check.ts";
import { assertError, assertSuccess } from "../support/assertions.ts";
import { batchOf, emailNeeds, message, senderOf, sends } from "../support/messages.ts";
import { assertCountsOnce, limitHeaderOrNaN, requestSequences } from "../support/rate-limit.ts";
import { burst, isRateLimited } from "../support/rate-limit-burst.ts";
import { casePerOperation } from "../support/requests.ts";

export const limits: Check[] = [
  check(
    "LIMIT-1",
    "requests up to the rate limit are accepted, and the next one is rejected with 429 rate_limited",
    [
      testCase("", { core: false }, async (tester) => {
        const { accepted, rejection } = await burst(tester);
        assert(rejection !== undefined, accepted.at(-1), {
          expected: `429 rate_limited for request ${numbers.requestsPerMinute + 1} within a minute`,
          found: "a success",
        });
        assert(accepted.length >= numbers.requestsPerMinute, rejection, {
          expected: `success for request ${accepted.length + 1} within a minute`,
          found: `status ${rejection.status}`,
        });
        assertError(rejection, 429, "rate_limited");
      }),
      testCase(
        "requests are accepted again after a minute",
        { core: false, needs: ["hooks.advanceClock"] },
        async (tester) => {
          const { afterMinute } = await burst(tester);
          if (afterMinute === undefined) throw new NotVerified("No request was rejected.");
          assertSuccess(afterMinute);
        },
      ),
    ],
    { needs: ["keys.burst"], tags: ["burst"] },
  ),
  check(
    "LIMIT-2",
    "all keys of an account share one rate limit",
    async (tester) => assertCountsOnce(await requestSequences(tester), "second"),
    { needs: ["keys.second"], alone: true },
  ),
  check(
    "LIMIT-3",
    "requests to all products share one rate limit",
    [
      testCase("newsletter and account", { operation: "listNewsletterLists", core: true }, async (tester) =>
        assertCountsOnce(await requestSequences(tester), "newsletter"),
      ),
      testCase(
        "email and account",
        { operation: "getEmail", core: true, needs: emailNeeds },
        async (tester) => assertCountsOnce(await requestSequences(tester), "email"),
      ),
    ],
    { alone: true },
  ),
  check(
    "LIMIT-3",
    "an exhausted rate limit applies to all products",
    notInCore(async (tester) => {
      const { rejection, others } = await burst(tester);
      if (rejection === undefined) throw new NotVerified("No request was rejected.");
      // The limit may be available again after a second.
      if (limitHeaderOrNaN(rejection, "wait") < 2)
        throw new NotVerified("The wait was too short for this check.");
      for (const { product, response } of others)
        assert(isRateLimited(response), response, {
          expected: `429 rate_limited for a request to ${product} too`,
          found: `status ${response.status}`,
        });
    }),
    { tags: ["burst"], needs: ["keys.burst"] },
  ),
  check(
    "LIMIT-4",
    "a batch counts as one request, however many messages it has",
    async (tester) => assertCountsOnce(await requestSequences(tester), "batch"),
    { needs: emailNeeds, alone: true },
  ),
  check(
    "LIMIT-7",
    "sends of an account at its sending ceiling are rejected with 429 send_rejected",
    casePerOperation(sends, ["sendEmail"], async (tester, operation) => {
      const key = "atCeiling";
      const sent = message(tester, { from: senderOf(tester, key) });
      const body = operation === "sendBatch" ? batchOf(sent) : sent;
      // The 429 is the expected response, so the request does not wait for the rate limit.
      assertError(await tester.request(operation, { key, body, paced: false }), 429, "send_rejected");
    }),
    { needs: ["keys.atCeiling", "simulatorDomain"] },
  ),
];
