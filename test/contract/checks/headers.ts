import { limits } from "../../../generated/limits.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, notInCore, testCase } from "../engine/check.ts";
import { assertSuccess } from "../support/assertions.ts";
import { sends } from "../support/messages.ts";
import { assertOneLess, countedSteps, limitHeader, requestSequences } from "../support/rate-limit.ts";
import { burst } from "../support/rate-limit-burst.ts";
import { casePerOperation, okResponse, operationsOfProduct } from "../support/requests.ts";

/** A minute, plus one second for servers that count in whole seconds. */
const longestWait = 61;

export const headers: Check[] = [
  check(
    ["HEAD-3", "HEAD-4"],
    "a send reports the monthly quota, and what remains does not exceed it",
    casePerOperation(sends, sends, async (tester, operation) => {
      const exchange = await okResponse(tester, operation);
      assertSuccess(exchange);
      const [quota, left] = [limitHeader(exchange, "quota"), limitHeader(exchange, "allowance")];
      assert(left <= quota, exchange, { expected: `at most ${quota} remaining`, found: `${left} remaining` });
    }),
  ),
  check(
    ["HEAD-6", "HEAD-7"],
    "a success reports the rate limit, and the remaining requests are fewer",
    casePerOperation(operationsOfProduct(), operationsOfProduct(), async (tester, operation) => {
      const exchange = await okResponse(tester, operation);
      assertSuccess(exchange);
      const [limit, left] = [limitHeader(exchange, "limit"), limitHeader(exchange, "left")];
      assert(left < limit, exchange, {
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
