import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import { type Check, caseOf, check, type TestCase } from "../engine/check.ts";
import { integerHeader } from "../engine/rate-limiter.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { assertEqual, assertSuccess, bodyOf, skipIfOverlapEnded } from "../support/assertions.ts";
import { burst, burstCase } from "../support/burst.ts";
import { sends } from "../support/messages.ts";
import { assertEachOneLess, limitHeader } from "../support/rate-limit.ts";
import { casePerOperation, okResponse, operationsOfProduct } from "../support/requests.ts";

/** Which properties the object has is unspecified. */
function assertObject(exchange: Exchange): void {
  assertSuccess(exchange);
  bodyOf(exchange);
}

export const account: Check[] = [
  check(["ME-1", "ME-2"], "GET /me returns an object for the key", { operation: "getMe" }, async (tester) =>
    assertObject(await okResponse(tester, "getMe")),
  ),
  check(
    "ME-3",
    "GET /me also works with a replaced key",
    { operation: "getMe", needs: ["keys.replaced"] },
    async (tester) => {
      const exchange = await tester.request("getMe", { key: "replaced" });
      skipIfOverlapEnded(tester, exchange);
      assertObject(exchange);
    },
  ),
];

/** A minute, plus one second for servers that count in whole seconds. */
const longestWait = 61;

/** What remains of a limit in each successful response. The limit, which has a check of its own, may be missing. */
const remainingCases = (
  ids: readonly OperationId[],
  name: "allowance" | "left",
  ofLimit: "quota" | "limit",
  most: (limit: number) => number,
): TestCase[] =>
  casePerOperation(ids, ids, async (tester, operation) => {
    const exchange = await okResponse(tester, operation);
    assertSuccess(exchange);
    const [left, limit] = [limitHeader(exchange, name), integerHeader(exchange, ofLimit)];
    assert(!(left > most(limit)), exchange, {
      expected: `at most ${most(limit)} of ${limit} remaining`,
      found: `${left} remaining`,
    });
  });

export const headers: Check[] = [
  check(
    "HEAD-4",
    "a send reports the remaining quota, which does not exceed the quota",
    remainingCases(sends, "allowance", "quota", (quota) => quota),
  ),
  check(
    "HEAD-7",
    "a success reports the remaining requests, which are fewer than the rate limit",
    remainingCases(operationsOfProduct(), "left", "limit", (limit) => limit - 1),
  ),
  check(
    "HEAD-7",
    "the remaining requests decrease by one with each request",
    { operation: "getMe", alone: true },
    assertEachOneLess,
  ),
  check("HEAD-6", "the reported rate limit is the documented one", { tags: ["burst"] }, [
    caseOf(burst, "", { core: false }, ({ accepted }) => {
      for (const exchange of accepted)
        assertEqual(exchange, "the limit", limitHeader(exchange, "limit"), limits.requestsPerMinute);
    }),
  ]),
  check("HEAD-7", "after a minute, all requests of the rate limit remain again", { tags: ["burst"] }, [
    burstCase("", "afterMinute", (exchange) => {
      const [limit, left] = [integerHeader(exchange, "limit"), limitHeader(exchange, "left")];
      assert(Number.isNaN(limit) || left === limit - 1, exchange, {
        expected: `${limit - 1} of ${limit} remaining after the first request`,
        found: `${left} remaining`,
      });
    }),
  ]),
  check(
    "HEAD-8",
    "a 429 rate_limited reports the seconds to wait, after which requests are accepted again",
    { tags: ["burst"] },
    [
      burstCase("", "rejection", (rejection) => {
        const wait = limitHeader(rejection, "wait");
        const expected = "a wait of at most one minute";
        assert(wait <= longestWait, rejection, { expected, found: `${wait} s` });
      }),
      burstCase("after the wait", "afterWait", (response) =>
        assert(isSuccess(response), response, {
          expected: "a success after waiting as Retry-After of the 429 says",
          found: `status ${response.status}`,
        }),
      ),
    ],
  ),
];
