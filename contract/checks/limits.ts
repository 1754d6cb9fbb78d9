import { limits as numbers } from "../../generated/limits.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Exchange } from "../exchange.ts";
import { assertError, assertSuccess } from "../support/assertions.ts";
import { batchOf, emailNeeds, message, senderOf, sends } from "../support/messages.ts";
import {
  dueQuota,
  firstSendOfMonth,
  quotaNeeds,
  quotaRemaining,
  quotaUse,
  templateQuotaUse,
} from "../support/quota.ts";
import { assertCharged, measurements } from "../support/quota-charges.ts";
import {
  assertCountsOnce,
  burst,
  isRateLimited,
  limitHeader,
  limitHeaderOrNaN,
  requestSequences,
} from "../support/rate-limit.ts";
import { casePerOperation } from "../support/requests.ts";

export const limits: Check[] = [
  check(
    "LIMIT-1",
    "requests up to the rate limit are accepted, and the next one is rejected with 429 rate_limited",
    { needs: ["keys.burst"], tags: ["burst"] },
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
  ),
  check(
    "LIMIT-2",
    "all keys of an account share one rate limit",
    { needs: ["keys.second"], alone: true },
    async (tester) => assertCountsOnce(await requestSequences(tester), "second"),
  ),
  check("LIMIT-3", "requests to all products share one rate limit", { alone: true }, [
    testCase("newsletter and account", { operation: "listNewsletterLists", core: true }, async (tester) =>
      assertCountsOnce(await requestSequences(tester), "newsletter"),
    ),
    testCase("email and account", { operation: "getEmail", core: true, needs: emailNeeds }, async (tester) =>
      assertCountsOnce(await requestSequences(tester), "email"),
    ),
  ]),
  check(
    "LIMIT-3",
    "an exhausted rate limit applies to all products",
    { core: false, tags: ["burst"], needs: ["keys.burst"] },
    async (tester) => {
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
    },
  ),
  check(
    "LIMIT-4",
    "a batch counts as one request, however many messages it has",
    { needs: emailNeeds, alone: true },
    async (tester) => assertCountsOnce(await requestSequences(tester), "batch"),
  ),
  check(
    "LIMIT-7",
    "sends of an account at its sending ceiling are rejected with 429 send_rejected",
    { needs: ["keys.atCeiling", "simulatorDomain"] },
    casePerOperation(sends, ["sendEmail"], async (tester, operation) => {
      const key = "atCeiling";
      const sent = message(tester, { from: senderOf(tester, key) });
      const body = operation === "sendBatch" ? batchOf(sent) : sent;
      // The 429 is the expected response, so the request does not wait for the rate limit.
      assertError(await tester.request(operation, { key, body, paced: false }), 429, "send_rejected");
    }),
  ),
];

/** Asserts how much quota was used since an earlier response. */
function assertQuotaUsed(exchange: Exchange, earlier: Exchange, accepted: number): void {
  const [before, after] = [quotaRemaining(earlier), quotaRemaining(exchange)];
  assert(after === before - accepted, exchange, {
    expected: `${before - accepted} of the monthly quota remaining, after ${before}`,
    found: `${after} remaining`,
  });
}

/** Asserts that all responses report the same quota. */
function assertSameQuota([first, ...others]: readonly Exchange[]): void {
  if (first === undefined) return;
  const quota = limitHeader(first, "quota");
  for (const exchange of others)
    assert(limitHeader(exchange, "quota") === quota, exchange, {
      expected: `a monthly quota of ${quota}, as before`,
      found: String(limitHeader(exchange, "quota")),
    });
}

/** What counts toward the monthly quota. */
export const quota: Check[] = [
  check("HEAD-3", "the monthly quota stays the same while messages are sent", { alone: true }, [
    testCase(
      "sendEmail",
      { operation: "sendEmail", core: true, needs: ["simulatorDomain"] },
      async (tester) => {
        const { before, sent, after } = await quotaUse(tester);
        assertSameQuota([before, sent, after]);
      },
    ),
    testCase(
      "sendEmail and sendBatch",
      { operation: "sendBatch", core: true, needs: quotaNeeds },
      async (tester) => {
        for (const { responses } of await measurements(tester)) assertSameQuota(responses);
      },
    ),
  ]),
  check(
    "HEAD-4",
    "the remaining quota does not increase while messages are sent, scheduled and canceled",
    { needs: quotaNeeds },
    async (tester) => {
      const { responses } = (await measurements(tester)).at(-1) ?? { responses: [] };
      for (const [index, exchange] of responses.entries()) {
        const before = responses[index - 1] ?? exchange;
        const most = quotaRemaining(before);
        assert(quotaRemaining(exchange) <= most, exchange, {
          expected: `at most ${most} of the monthly quota remaining`,
          found: `${quotaRemaining(exchange)} remaining`,
        });
      }
    },
  ),
  check(
    ["LIMIT-5", "SIM-6"],
    "every recipient in to, cc and bcc counts toward the monthly quota, also simulated ones",
    { alone: true },
    [
      testCase("one recipient each", { core: true, needs: ["simulatorDomain"] }, async (tester) => {
        const { before, sent } = await quotaUse(tester);
        assertQuotaUsed(sent, before, 3);
      }),
      testCase("simulated recipients", { core: false, needs: quotaNeeds }, async (tester) =>
        assertCharged(await measurements(tester), "simulated", "every simulated recipient"),
      ),
    ],
  ),
  check(
    "LIMIT-5",
    "every recipient counts toward the monthly quota once, also if there are several in a property",
    { needs: quotaNeeds },
    [
      testCase("sendBatch", { operation: "sendBatch", core: true }, async (tester) =>
        assertCharged(await measurements(tester), "wholeBatch", "every recipient of a batch"),
      ),
      testCase("sendEmail", { operation: "sendEmail", core: false }, async (tester) =>
        assertCharged(await measurements(tester), "copies", "every recipient in to, cc and bcc"),
      ),
    ],
  ),
  check(
    "LIMIT-5",
    "a send from a template counts toward the monthly quota",
    { core: false, needs: ["template", ...emailNeeds], alone: true },
    async (tester) => {
      const { before, sent } = await templateQuotaUse(tester);
      assertQuotaUsed(sent, before, 1);
    },
  ),
  check(
    "LIMIT-6",
    "a scheduled message does not count toward the monthly quota before it is sent",
    { needs: ["simulatorDomain"], alone: true },
    async (tester) => {
      const { sent, after } = await quotaUse(tester);
      assertQuotaUsed(after, sent, 0);
    },
  ),
  check(
    "LIMIT-6",
    "scheduling, rescheduling and canceling do not change the remaining quota",
    { needs: quotaNeeds },
    [
      testCase("a scheduled message", { core: false }, async (tester) =>
        assertCharged(await measurements(tester), "scheduled", "nothing"),
      ),
      testCase("a reschedule and a cancel", { core: false }, async (tester) =>
        assertCharged(await measurements(tester), "changed", "nothing"),
      ),
    ],
  ),
  check(
    "LIMIT-6",
    "a scheduled message counts toward the monthly quota when it is sent",
    { needs: [...quotaNeeds, "hooks.advanceClock"], tags: ["clock"] },
    [
      testCase("every recipient, once, and none of a canceled message", { core: true }, async (tester) => {
        const { before, afterFirst, recipients } = await dueQuota(tester);
        assertQuotaUsed(afterFirst, before, recipients);
      }),
      testCase("at its new time after a reschedule", async (tester) => {
        const { afterFirst, afterSecond } = await dueQuota(tester);
        assertQuotaUsed(afterSecond, afterFirst, 1);
      }),
    ],
  ),
  check(
    "HEAD-4",
    "what was sent in earlier months does not count",
    { core: false, needs: [...quotaNeeds, "hooks.advanceClock"], tags: ["clock"] },
    async (tester) => {
      const exchange = await firstSendOfMonth(tester);
      const most = limitHeader(exchange, "quota");
      assert(quotaRemaining(exchange) === most - 1, exchange, {
        expected: `${most - 1} of the monthly quota of ${most} remaining after one message`,
        found: `${quotaRemaining(exchange)} remaining`,
      });
    },
  ),
];
