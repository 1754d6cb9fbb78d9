import type { OperationId } from "../../generated/operations.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, notInCore, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { assertError, requestOk } from "../support/assertions.ts";
import { newContact } from "../support/contacts.ts";
import {
  assertNotReplayed,
  casePerIdempotentOperation,
  coreOnlyFor,
  newIdempotencyKey,
  requestWithKey,
} from "../support/idempotency.ts";
import { plainListOf } from "../support/lists.ts";
import { batchOf } from "../support/messages.ts";
import { messageOfOther, otherAccount } from "../support/other-account.ts";
import { assertCountsNothing, requestSequences } from "../support/rate-limit.ts";
import { burst } from "../support/rate-limit-burst.ts";
import { validRequest } from "../support/requests.ts";

const key = otherAccount;

/** A valid body for the other account. */
async function bodyOfOther(tester: Tester, operation: OperationId): Promise<Record<string, unknown>> {
  if (operation === "upsertContact")
    return { email: newContact(tester), list_id: await plainListOf(tester, key) };
  const body = messageOfOther(tester);
  return operation === "sendBatch" ? batchOf(body) : body;
}

/** The list or the domain in the request belongs to the first account. */
function assertNotOwn(exchange: Exchange, operation: OperationId): void {
  if (operation === "upsertContact") assertError(exchange, 404, "not_found", "list_id");
  else assertError(exchange, [403, 422], "send_rejected", "from", "emails.0.from");
}

const idempotent = (run: (tester: Tester, operation: OperationId) => Promise<unknown>): TestCase[] =>
  coreOnlyFor(casePerIdempotentOperation(run));

/** Accounts do not use up each other's idempotency keys and rate limits. */
export const isolatedLimits: Check[] = [
  check(
    "IDEM-6",
    "another account does not get the response to the same request with the same idempotency key",
    idempotent(async (tester, operation) => {
      const options = await requestWithKey(tester, operation);
      await requestOk(tester, operation, options);
      const exchange = await tester.request(operation, { ...options, key });
      assertNotReplayed(exchange);
      assertNotOwn(exchange, operation);
    }),
    { needs: ["keys.otherAccount"] },
  ),
  check(
    "IDEM-6",
    "an idempotency key of another account is new",
    idempotent(async (tester, operation) => {
      const headers = newIdempotencyKey(tester);
      await requestOk(tester, operation, { ...(await validRequest(tester, operation)), headers });
      const body = await bodyOfOther(tester, operation);
      assertNotReplayed(await requestOk(tester, operation, { key, body, headers }));
    }),
    { needs: ["keys.otherAccount"] },
  ),
  check(
    "LIMIT-2",
    "requests of another account do not count toward the rate limit",
    [
      testCase("getMe", { core: false }, async (tester) =>
        assertCountsNothing(await requestSequences(tester), "otherAccount"),
      ),
      testCase("listNewsletterLists", { core: false, needs: ["lists.otherAccount"] }, async (tester) =>
        assertCountsNothing(await requestSequences(tester), "otherNewsletter"),
      ),
    ],
    { needs: ["keys.otherAccount"], alone: true },
  ),
  check(
    "LIMIT-1",
    "an exhausted rate limit does not apply to other accounts",
    notInCore(async (tester) => {
      const { rejection, otherAccount: exchange } = await burst(tester);
      if (rejection === undefined || exchange === undefined)
        throw new NotVerified("No request was rejected.");
      assert(isSuccess(exchange), exchange, {
        expected: "success for another account",
        found: `status ${exchange.status}`,
      });
    }),
    { needs: ["keys.burst", "keys.otherAccount"], tags: ["burst"] },
  ),
];
