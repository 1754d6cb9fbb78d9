import { limits } from "../../../generated/limits.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import { assertSuccess } from "../support/assertions.ts";
import { assertOneLess, limitHeader, requestSequences, stepNames } from "../support/rate-limit.ts";
import { burst } from "../support/rate-limit-burst.ts";
import { casePerOperation, okResponse, operationsOfProduct } from "../support/requests.ts";

const sends = ["sendEmail", "sendBatch"] as const;
/** A minute, and a second that a server may add because it counts in whole ones. */
const longestWait = 61;

export const headers: Check[] = [
  check(
    ["HEAD-3", "HEAD-4"],
    "a send tells a monthly allowance, and what is left of it is no more than that",
    casePerOperation(sends, sends, async (tester, operation) => {
      const exchange = await okResponse(tester, operation);
      assertSuccess(exchange);
      const [quota, left] = [limitHeader(exchange, "quota"), limitHeader(exchange, "allowance")];
      assert(left <= quota, exchange, { expected: `at most ${quota} left`, found: `${left} left` });
    }),
  ),
  check(
    ["HEAD-6", "HEAD-7"],
    "a success tells the request limit of a minute, and what is left of it is less than that",
    casePerOperation(operationsOfProduct(), operationsOfProduct(), async (tester, operation) => {
      const exchange = await okResponse(tester, operation);
      assertSuccess(exchange);
      const [limit, left] = [limitHeader(exchange, "limit"), limitHeader(exchange, "left")];
      assert(left < limit, exchange, { expected: `less than ${limit} left`, found: `${left} left` });
    }),
  ),
  check(
    "HEAD-7",
    "the requests left are one fewer after each call",
    [
      testCase("", { operation: "getMe" }, async (tester) => {
        const walks = await requestSequences(tester);
        for (const name of stepNames) assertOneLess(walks, name);
      }),
    ],
    { alone: true },
  ),
  check(
    "HEAD-6",
    "the request limit that is told is the one that holds",
    [
      testCase("", { core: false }, async (tester) => {
        const { accepted } = await burst(tester);
        for (const exchange of accepted) {
          const limit = limitHeader(exchange, "limit");
          assert(limit === limits.requestsPerMinute, exchange, {
            expected: `a limit of ${limits.requestsPerMinute}`,
            found: String(limit),
          });
        }
      }),
    ],
    { needs: ["keys.burst"], tags: ["burst"] },
  ),
  check(
    "HEAD-8",
    "a rejection for too many requests tells the seconds to wait, after which calls are taken again",
    [
      testCase("", { core: false }, async (tester) => {
        const { rejection } = await burst(tester);
        if (rejection === undefined) throw new NotVerified("No call was refused.");
        const wait = limitHeader(rejection, "wait");
        assert(wait <= longestWait, rejection, {
          expected: "a wait of a minute at most",
          found: `${wait} s`,
        });
      }),
      testCase("after the wait", { core: false, needs: ["hooks.advanceClock"] }, async (tester) => {
        const { afterWait } = await burst(tester);
        if (afterWait === undefined) throw new NotVerified("No call was refused.");
        assertSuccess(afterWait);
      }),
    ],
    { needs: ["keys.burst"], tags: ["burst"] },
  ),
];
