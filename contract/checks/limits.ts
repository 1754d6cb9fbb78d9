import { limits as numbers } from "../../generated/limits.ts";
import { assert, NotVerified, unknownExchange } from "../engine/assert.ts";
import { type Check, caseOf, check, testCase } from "../engine/check.ts";
import { integerHeader } from "../engine/rate-limiter.ts";
import { type Exchange, isRateLimited } from "../exchange.ts";
import { assertEqual, assertError, assertSuccess } from "../support/assertions.ts";
import { burst, burstCase } from "../support/burst.ts";
import { batchOf, emailNeeds, message, secondsAhead, senderOf, sends, stateOf } from "../support/messages.ts";
import { atTurnOfMonth, dueQuota, quotaUse, templateQuotaUse } from "../support/quota.ts";
import { countCase, measurements } from "../support/quota-counts.ts";
import { assertCounts, assertQuotaUsed, lackOf, limitHeader, quotaRemaining } from "../support/rate-limit.ts";
import { casePerOperation } from "../support/requests.ts";

export const limits: Check[] = [
  check(
    "LIMIT-1",
    "requests up to the rate limit are accepted, and the next one is rejected with 429 rate_limited",
    { tags: ["burst"] },
    [
      caseOf(burst, "", { core: false }, ({ accepted, rejection, isBeyond }) => {
        assert(rejection !== undefined && !isBeyond, accepted.at(-1), {
          expected: `429 rate_limited for request ${numbers.requestsPerMinute + 1} within a minute`,
          found: "a success",
        });
        assert(accepted.length >= numbers.requestsPerMinute, rejection, {
          expected: `success for request ${accepted.length + 1} within a minute`,
          found: `status ${rejection.status}`,
        });
        assertError(rejection, 429, "rate_limited");
      }),
      burstCase("the same in the next minute", "afterMinute", (response, { again }) => {
        const count = again?.accepted.length ?? 0;
        const isRight = again?.isBeyond === false && count >= numbers.requestsPerMinute;
        assert(isRight, again?.rejection ?? again?.accepted.at(-1) ?? response, {
          expected: `${numbers.requestsPerMinute} requests accepted in the next minute, and no more`,
          found: `${count}`,
        });
      }),
      burstCase("a rejected write has no effect later", "afterMinute", (_, found) => {
        const { others, writes, accepted, again } = found;
        // The limit may have been available again by then.
        if (!others.every(({ response }) => isRateLimited(response)))
          throw new NotVerified("A request right after the rejected one was accepted.");
        const { contact, sent } = writes ?? {};
        const before = accepted.findLast(({ request }) => request.operation === "sendEmail");
        if (contact !== undefined) assertError(contact, 404, "not_found");
        if (before !== undefined && sent !== undefined) assertQuotaUsed(sent, before, 1);
        for (const found of again?.accepted ?? []) {
          const old = accepted.find(({ request }) => request.path === found.request.path) ?? found;
          assertEqual(found, "as before:", stateOf(found), stateOf(old));
        }
      }),
      burstCase("requests are accepted again after a minute", "afterMinute", (response) =>
        assertSuccess(response),
      ),
    ],
  ),
  check(
    "LIMIT-2",
    "all keys of an account share one rate limit",
    { needs: ["keys.second"], alone: true },
    (tester) => assertCounts(tester, "second"),
  ),
  check("LIMIT-3", "requests to all products share one rate limit", { alone: true }, [
    testCase("newsletter and account", { operation: "listNewsletterLists", core: true }, (tester) =>
      assertCounts(tester, "newsletter"),
    ),
    testCase(
      "email and account",
      {
        operation: "getEmail",
        core: true,
        needs: emailNeeds,
        isThere: (settings) => lackOf(settings, "email") === undefined,
      },
      (tester) => assertCounts(tester, "email"),
    ),
  ]),
  check("LIMIT-3", "an exhausted rate limit applies to all products", { tags: ["burst"] }, [
    burstCase("", "rejection", (rejection, { others }) => {
      // The limit may be available again after a second.
      if (integerHeader(rejection, "wait") < 2)
        throw new NotVerified("The wait was too short for this check.");
      for (const { product, response } of others)
        assert(isRateLimited(response), response, {
          expected: `429 rate_limited for a request to ${product} too`,
          found: `status ${response.status}`,
        });
    }),
  ]),
  check(
    "LIMIT-4",
    "a batch counts as one request, however many messages it has",
    { needs: emailNeeds, alone: true },
    (tester) => assertCounts(tester, "batch"),
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
      assertError(await tester.request(operation, { key, body, waits: false }), 429, "send_rejected");
      if (operation === "sendBatch") return;
      const later = { ...sent, scheduled_at: secondsAhead(tester, 3600) };
      assertError(await tester.request(operation, { key, body: later, waits: false }), 429, "send_rejected");
    }),
  ),
];

function assertSameQuota([first, ...others]: readonly Exchange[]): void {
  const quota = first && limitHeader(first, "quota");
  for (const exchange of others)
    assertEqual(exchange, "the monthly quota", limitHeader(exchange, "quota"), quota);
}

export const quota: Check[] = [
  check("HEAD-3", "the monthly quota stays the same while messages are sent", { alone: true }, [
    caseOf(quotaUse, "sendEmail", { operation: "sendEmail" }, ({ before, sent, after }) =>
      assertSameQuota([before, sent, after]),
    ),
    caseOf(measurements, "sendEmail and sendBatch", { operation: "sendBatch" }, (all) => {
      for (const { responses } of all) assertSameQuota(responses);
    }),
  ]),
  check("HEAD-4", "the remaining quota decreases with each send, and does not increase by scheduling", [
    caseOf(measurements, "", (all) => {
      const { responses } = all.at(-1) ?? { responses: [] };
      for (const [index, exchange] of responses.entries()) {
        const { operation, body } = exchange.request;
        const before = responses[index - 1];
        // The messages of a batch count when they are sent.
        const isCounted = operation === "sendEmail" && !("scheduled_at" in (body as object));
        if (before === undefined) continue;
        const most = quotaRemaining(before) - (isCounted ? 1 : 0);
        const found = quotaRemaining(exchange);
        assert(found <= most, exchange, {
          expected: `at most ${most} of the monthly quota remaining`,
          found: `${found} remaining: ${found - quotaRemaining(before)} more than before`,
        });
      }
    }),
  ]),
  check(
    ["LIMIT-5", "SIM-6"],
    "every recipient in to, cc and bcc counts toward the monthly quota, also simulated ones",
    { alone: true },
    [
      caseOf(quotaUse, "one recipient each", ({ before, sent, recipients }) =>
        assertQuotaUsed(sent, before, recipients),
      ),
      countCase("simulated recipients", "simulated", { core: false }),
    ],
  ),
  check(
    "LIMIT-5",
    "every recipient counts toward the monthly quota once, also if there are several in a property",
    { alone: true },
    [
      countCase("sendBatch", "wholeBatch", { operation: "sendBatch" }),
      countCase("the largest batch", "largestBatch", { operation: "sendBatch", core: false }),
      countCase("sendEmail", "copies", { operation: "sendEmail", core: false }),
      countCase("sends at the same time", "together", { operation: "sendEmail", core: false }),
      caseOf(templateQuotaUse, "a template", { core: false }, ({ before, sent }) =>
        assertQuotaUsed(sent, before, 1),
      ),
    ],
  ),
  check("LIMIT-6", "scheduling, rescheduling and canceling use no quota", { alone: true }, [
    caseOf(quotaUse, "two sends for later", ({ sent, after }) => assertQuotaUsed(after, sent, 0)),
    countCase("a scheduled message", "scheduled", { core: false }),
    countCase("a reschedule and a cancel", "changed", { core: false }),
  ]),
  check("LIMIT-6", "a scheduled message counts toward the monthly quota when sent", { tags: ["clock"] }, [
    caseOf(dueQuota, "once, and none if it is canceled", ({ before, afterFirst, recipients }) =>
      assertQuotaUsed(afterFirst, before, recipients),
    ),
    caseOf(
      dueQuota,
      "at its new time after a reschedule",
      { core: false, operation: "rescheduleEmail" },
      ({ afterFirst, afterSecond }) =>
        assertQuotaUsed(afterSecond ?? unknownExchange("rescheduleEmail"), afterFirst, 1),
    ),
  ]),
  atTurnOfMonth("HEAD-4", "what was sent in earlier months does not count", ({ first, last, before }) => {
    const most = limitHeader(before, "quota");
    const sends = [first, last, before];
    // In a time zone east of UTC, the new month began before some of them.
    const start = sends.findIndex((sent) => quotaRemaining(sent) === most - 1);
    const count = start < 0 ? 1 : sends.length - start;
    assert(quotaRemaining(before) === most - count, before, {
      expected: `${most - count} of the monthly quota of ${most} remaining after message ${count} of the month`,
      found: `${quotaRemaining(before)} remaining`,
    });
  }),
  atTurnOfMonth("HEAD-4", "sends in the last minute of a month count", ({ first, last }) => {
    if (quotaRemaining(last) > quotaRemaining(first)) throw new NotVerified("A new month began between.");
    assertQuotaUsed(last, first, 1);
  }),
  atTurnOfMonth(
    "LIMIT-6",
    "messages scheduled in one month and sent in the next count there",
    ({ last, scheduled, before, after }) => {
      // A new month may have begun between.
      if (quotaRemaining(scheduled) <= quotaRemaining(last)) assertQuotaUsed(scheduled, last, 0);
      assertQuotaUsed(after, before, 3);
    },
  ),
  atTurnOfMonth("HEAD-4", "what was sent counts until the month ends", ({ after, later }) =>
    assertQuotaUsed(later, after, 1),
  ),
];
