import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, notInCore, type TestCase, testCase } from "../engine/check.ts";
import type { Exchange } from "../exchange.ts";
import { assertSuccess } from "../support/assertions.ts";
import { sends } from "../support/messages.ts";
import {
  assertOneLess,
  countedSteps,
  limitHeader,
  limitHeaderOrNaN,
  requestSequences,
} from "../support/rate-limit.ts";
import { burst } from "../support/rate-limit-burst.ts";
import { casePerOperation, okResponse, operationsOfProduct } from "../support/requests.ts";

/** A minute, plus one second for servers that count in whole seconds. */
const longestWait = 61;

/**
 * What each successful response reports. A comparison with another header, which has a check of its own, passes if that is missing.
 */
const casePerSuccess = (
  ids: readonly OperationId[],
  assertReported: (exchange: Exchange) => unknown,
): TestCase[] =>
  casePerOperation(ids, ids, async (tester, operation) => {
    const exchange = await okResponse(tester, operation);
    assertSuccess(exchange);
    assertReported(exchange);
  });

export const headers: Check[] = [
  check(
    "HEAD-3",
    "a send reports the monthly quota",
    casePerSuccess(sends, (exchange) => limitHeader(exchange, "quota")),
  ),
  check(
    "HEAD-4",
    "a send reports the remaining quota, which does not exceed the quota",
    casePerSuccess(sends, (exchange) => {
      const [quota, left] = [limitHeaderOrNaN(exchange, "quota"), limitHeader(exchange, "allowance")];
      assert(!(left > quota), exchange, {
        expected: `at most ${quota} remaining`,
        found: `${left} remaining`,
      });
    }),
  ),
  check(
    "HEAD-6",
    "a success reports the rate limit",
    casePerSuccess(operationsOfProduct(), (exchange) => limitHeader(exchange, "limit")),
  ),
  check(
    "HEAD-7",
    "a success reports the remaining requests, which are fewer than the rate limit",
    casePerSuccess(operationsOfProduct(), (exchange) => {
      const [limit, left] = [limitHeaderOrNaN(exchange, "limit"), limitHeader(exchange, "left")];
      assert(!(left >= limit), exchange, {
        expected: `less than ${limit} remaining`,
        found: `${left} remaining`,
      });
    }),
  ),
  check(
    "HEAD-7",
    "the remaining requests decrease by one with each request",
    [
      testCase("", { operation: "getMe" }, async (tester) => {
        const sequences = await requestSequences(tester);
        for (const name of countedSteps) assertOneLess(sequences, name);
      }),
    ],
    { alone: true },
  ),
  check(
    "HEAD-6",
    "the reported rate limit is the documented one",
    notInCore(async (tester) => {
      const { accepted } = await burst(tester);
      for (const exchange of accepted) {
        const limit = limitHeader(exchange, "limit");
        assert(limit === limits.requestsPerMinute, exchange, {
          expected: `a limit of ${limits.requestsPerMinute}`,
          found: String(limit),
        });
      }
    }),
    { needs: ["keys.burst"], tags: ["burst"] },
  ),
  check(
    "HEAD-8",
    "a 429 rate_limited reports the seconds to wait, after which requests are accepted again",
    [
      testCase("", { core: false }, async (tester) => {
        const { rejection } = await burst(tester);
        if (rejection === undefined) throw new NotVerified("No request was rejected.");
        const wait = limitHeader(rejection, "wait");
        assert(wait <= longestWait, rejection, {
          expected: "a wait of at most one minute",
          found: `${wait} s`,
        });
      }),
      testCase("after the wait", { core: false, needs: ["hooks.advanceClock"] }, async (tester) => {
        const { afterWait } = await burst(tester);
        if (afterWait === undefined) throw new NotVerified("No request was rejected.");
        assertSuccess(afterWait);
      }),
    ],
    { needs: ["keys.burst"], tags: ["burst"] },
  ),
];
