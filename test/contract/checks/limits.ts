import { limits as numbers } from "../../../generated/limits.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { aroundItsTime, leftIn, spending } from "./allowance.ts";
import { numberOrNot, steps, takesOne } from "./budget.ts";
import { burst, isTooMany } from "./burst.ts";
import { charges, chargesNeeds, noLessThan } from "./charges.ts";
import { assertError, assertSuccess, batchOf, casePerOperation, message, senderOf } from "./kit.ts";

const mail = ["domains.verified", "simulatorDomain"] as const;
const sends = ["sendEmail", "sendBatch"] as const;

/** What is left of the allowance is so many less than in an earlier answer. */
function isLeft(exchange: Exchange, earlier: Exchange, taken: number): void {
  const [before, after] = [leftIn(earlier), leftIn(exchange)];
  assert(after === before - taken, exchange, {
    expected: `${before - taken} left of the month's allowance, after ${before}`,
    found: `${after} left`,
  });
}

export const limits: Check[] = [
  check(
    "LIMIT-1",
    "calls up to the limit of a minute are taken, and the next one is refused with 429 rate_limited",
    [
      {
        title: "",
        core: false,
        run: async (tester) => {
          const { taken, refusal } = await burst(tester);
          assert(refusal !== undefined, taken.at(-1), {
            expected: `429 rate_limited for call ${numbers.requestsPerMinute + 1} of a minute`,
            found: "a success",
          });
          assert(taken.length >= numbers.requestsPerMinute, refusal, {
            expected: `success for call ${taken.length + 1} of a minute`,
            found: `status ${refusal.status}`,
          });
          assertError(refusal, 429, "rate_limited");
        },
      },
      {
        title: "after a minute calls are taken again",
        core: false,
        needs: ["hooks.advanceClock"],
        run: async (tester) => {
          const { afterMinute } = await burst(tester);
          if (afterMinute === undefined) throw new NotVerified("No call was refused.");
          assertSuccess(afterMinute);
        },
      },
    ],
    { needs: ["keys.burst"], tags: ["burst"] },
  ),
  check(
    "LIMIT-2",
    "all keys of an account draw on one request limit",
    async (tester) => takesOne(await steps(tester), "second"),
    { needs: ["keys.second"], alone: true },
  ),
  check(
    "LIMIT-3",
    "calls of all products draw on one request limit",
    [
      {
        title: "newsletter and account",
        operation: "listNewsletterLists",
        core: true,
        run: async (tester) => takesOne(await steps(tester), "newsletter"),
      },
      {
        title: "e-mail and account",
        operation: "getEmail",
        core: true,
        needs: mail,
        run: async (tester) => takesOne(await steps(tester), "email"),
      },
    ],
    { alone: true },
  ),
  check(
    "LIMIT-3",
    "a limit that is used up is so for all products",
    [
      {
        title: "",
        core: false,
        run: async (tester) => {
          const { refusal, others } = await burst(tester);
          if (refusal === undefined) throw new NotVerified("No call was refused.");
          // The limit may be full again after a second.
          if (numberOrNot(refusal, "wait") < 2) throw new NotVerified("The wait was too short to look.");
          for (const { product, answer } of others)
            assert(isTooMany(answer), answer, {
              expected: `429 rate_limited for a call of ${product} too`,
              found: `status ${answer.status}`,
            });
        },
      },
    ],
    { tags: ["burst"], needs: ["keys.burst"] },
  ),
  check(
    "LIMIT-4",
    "a batch counts as one request, however many messages it has",
    async (tester) => takesOne(await steps(tester), "batch"),
    { needs: mail, alone: true },
  ),
  check(
    ["LIMIT-5", "SIM-6"],
    "every recipient in to, cc and bcc takes one from the monthly allowance, the simulated one too",
    async (tester) => {
      const { before, sent } = await spending(tester);
      isLeft(sent, before, 3);
    },
    { needs: ["simulatorDomain"], alone: true },
  ),
  check(
    "LIMIT-5",
    "every recipient of a batch takes one from the monthly allowance",
    async (tester) => noLessThan(await charges(tester), "wholeBatch", "a batch"),
    { needs: chargesNeeds },
  ),
  check(
    "LIMIT-6",
    "a scheduled message takes nothing from the monthly allowance before it is sent",
    async (tester) => {
      const { sent, after } = await spending(tester);
      isLeft(after, sent, 0);
    },
    { needs: ["simulatorDomain"], alone: true },
  ),
  check(
    "LIMIT-6",
    "a scheduled message takes from the monthly allowance when it is sent",
    async (tester) => {
      const { before, after } = await aroundItsTime(tester);
      isLeft(after, before, 1);
    },
    { needs: ["simulatorDomain", "keys.quota", "hooks.advanceClock"], tags: ["clock"] },
  ),
  check(
    "LIMIT-7",
    "sends of an account at its sending ceiling are refused with 429 send_rejected",
    casePerOperation(sends, ["sendEmail"], async (tester, operation) => {
      const key = "atCeiling";
      const sent = message(tester, { from: senderOf(tester, key) });
      const body = operation === "sendBatch" ? batchOf(sent) : sent;
      // A 429 is what is to come: nothing waits for it to pass.
      assertError(await tester.request(operation, { key, body, paced: false }), 429, "send_rejected");
    }),
    { needs: ["keys.atCeiling", "simulatorDomain"] },
  ),
];
