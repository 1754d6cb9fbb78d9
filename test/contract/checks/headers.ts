import { limits } from "../../../generated/limits.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import { numberIn, stepNames, steps, tellsOneLess } from "./budget.ts";
import { burst } from "./burst.ts";
import { assertSuccess, casePerOperation, okResponse, operationsOfProduct } from "./kit.ts";

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
      const [quota, left] = [numberIn(exchange, "quota"), numberIn(exchange, "allowance")];
      assert(left <= quota, exchange, { expected: `at most ${quota} left`, found: `${left} left` });
    }),
  ),
  check(
    ["HEAD-6", "HEAD-7"],
    "a success tells the request limit of a minute, and what is left of it is less than that",
    casePerOperation(operationsOfProduct(), operationsOfProduct(), async (tester, operation) => {
      const exchange = await okResponse(tester, operation);
      assertSuccess(exchange);
      const [limit, left] = [numberIn(exchange, "limit"), numberIn(exchange, "left")];
      assert(left < limit, exchange, { expected: `less than ${limit} left`, found: `${left} left` });
    }),
  ),
  check(
    "HEAD-7",
    "the requests left are one fewer after each call",
    [
      {
        title: "",
        operation: "getMe",
        run: async (tester) => {
          const walks = await steps(tester);
          for (const name of stepNames) tellsOneLess(walks, name);
        },
      },
    ],
    { alone: true },
  ),
  check(
    "HEAD-6",
    "the request limit that is told is the one that holds",
    [
      {
        title: "",
        core: false,
        run: async (tester) => {
          const { taken } = await burst(tester);
          for (const exchange of taken) {
            const limit = numberIn(exchange, "limit");
            assert(limit === limits.requestsPerMinute, exchange, {
              expected: `a limit of ${limits.requestsPerMinute}`,
              found: String(limit),
            });
          }
        },
      },
    ],
    { needs: ["keys.burst"], tags: ["burst"] },
  ),
  check(
    "HEAD-8",
    "a refusal for too many requests tells the seconds to wait, after which calls are taken again",
    [
      {
        title: "",
        core: false,
        run: async (tester) => {
          const { refusal } = await burst(tester);
          if (refusal === undefined) throw new NotVerified("No call was refused.");
          const wait = numberIn(refusal, "wait");
          assert(wait <= longestWait, refusal, {
            expected: "a wait of a minute at most",
            found: `${wait} s`,
          });
        },
      },
      {
        title: "after the wait",
        core: false,
        needs: ["hooks.advanceClock"],
        run: async (tester) => {
          const { afterWait } = await burst(tester);
          if (afterWait === undefined) throw new NotVerified("No call was refused.");
          assertSuccess(afterWait);
        },
      },
    ],
    { needs: ["keys.burst"], tags: ["burst"] },
  ),
];
