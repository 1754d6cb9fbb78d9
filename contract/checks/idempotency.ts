import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { assertEqual, assertError, assertSuccess, requestOk } from "../support/assertions.ts";
import {
  assertNotReplayed,
  casePerIdempotentOperation,
  coreOnlyFor,
  newIdempotencyKey,
  requestWithKey,
} from "../support/idempotency.ts";
import { emailNeeds, message, secondsAhead } from "../support/messages.ts";
import { okResponse, validRequest } from "../support/requests.ts";
import { hour } from "../support/scheduled-messages.ts";

/** A request with an idempotency key, its response, and the response to the same request again. */
interface Pair {
  options: RequestOptions;
  first: Exchange;
  second: Exchange;
}

const replayed = (tester: Tester, operation: OperationId): Promise<Pair> =>
  tester.once(`a replay of ${operation}`, async (own) => {
    const options = await requestWithKey(own, operation);
    const first = await requestOk(own, operation, options);
    return { options, first, second: await own.request(operation, options) };
  });

/** Asserts the response to a new request: the messages of another send have other ids. */
function assertNew(exchange: Exchange, first: Exchange, operation: OperationId): void {
  assertNotReplayed(exchange);
  if (operation === "upsertContact") return;
  const [before, now] = [first, exchange].map(({ json }) => JSON.stringify(json).match(/"id":"[^"]*"/)?.[0]);
  assert(now !== before, exchange, { expected: "a new message", found: `the first one, ${now}` });
}

const windowSeconds = limits.idempotencyWindow * hour;

/** Asserts that an hour before the end of the window a request is a replay and another body a conflict, and that an hour after it the request is new. */
async function assertRemembered(
  tester: Tester,
  operation: OperationId,
  options: RequestOptions,
): Promise<void> {
  const first = await requestOk(tester, operation, options);
  await tester.hook("advanceClock", { seconds: windowSeconds - hour });
  const second = await tester.request(operation, options);
  assertSuccess(second);
  assertEqual(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
  assertEqual(second, "body of the first response", second.json, first.json);
  const { body } = await validRequest(tester, operation);
  assertError(await tester.request(operation, { ...options, body }), 409, "idempotency_conflict");
  await tester.hook("advanceClock", { seconds: 2 * hour });
  assertNew(await requestOk(tester, operation, options), first, operation);
}

export const idempotency: Check[] = [
  check(
    "IDEM-1",
    "the same key with the same body returns the original response",
    casePerIdempotentOperation(async (tester, operation) => {
      const { first, second } = await replayed(tester, operation);
      assertEqual(second, "status", second.status, first.status);
      assertEqual(second, "body of the first response", second.json, first.json);
    }),
  ),
  check(
    "IDEM-7",
    "only the replayed response has Idempotent-Replayed: true",
    casePerIdempotentOperation(async (tester, operation) => {
      const { first, second } = await replayed(tester, operation);
      assertEqual(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
      assert(first.headers["idempotent-replayed"] !== "true", first, {
        expected: "no Idempotent-Replayed: true on the original response",
        found: "Idempotent-Replayed: true",
      });
    }),
  ),
  check(
    "IDEM-7",
    "the response to a request without a key is not a replay",
    casePerIdempotentOperation(async (tester, operation) =>
      assertNotReplayed(await okResponse(tester, operation)),
    ),
  ),
  check(
    "IDEM-2",
    "the same key with another body is rejected with 409 idempotency_conflict",
    casePerIdempotentOperation(async (tester, operation) => {
      const { options } = await replayed(tester, operation);
      const { body } = await validRequest(tester, operation);
      assertError(await tester.request(operation, { ...options, body }), 409, "idempotency_conflict");
    }),
  ),
  check(
    "IDEM-9",
    "a key is remembered until the end of the idempotency window, even if the request is repeated",
    [
      ...coreOnlyFor(
        casePerIdempotentOperation(async (tester, operation) =>
          assertRemembered(tester, operation, await requestWithKey(tester, operation)),
        ),
        "sendEmail",
      ),
      testCase(
        "sendEmail, scheduled",
        { operation: "sendEmail", core: false, needs: emailNeeds },
        async (tester) => {
          const body = message(tester, { scheduled_at: secondsAhead(tester, 2 * windowSeconds) });
          await assertRemembered(tester, "sendEmail", { body, headers: newIdempotencyKey(tester) });
        },
      ),
    ],
    { tags: ["clock"], needs: ["hooks.advanceClock"] },
  ),
  check(
    "IDEM-4",
    "all characters of an idempotency key are significant, up to its limit",
    coreOnlyFor(
      casePerIdempotentOperation(async (tester, operation) => {
        const start = tester.run.unique().padEnd(limits.idempotencyKeyLength - 1, "-");
        for (const last of ["a", "b"]) {
          const headers = { "Idempotency-Key": start + last };
          assertNotReplayed(
            await requestOk(tester, operation, { ...(await validRequest(tester, operation)), headers }),
          );
        }
      }),
    ),
  ),
  check(
    "IDEM-6",
    "idempotency keys belong to one API key",
    casePerIdempotentOperation(async (tester, operation) => {
      const { options } = await replayed(tester, operation);
      const { body } = await validRequest(tester, operation);
      assertNotReplayed(await requestOk(tester, operation, { ...options, body, key: "second" }));
    }),
    { needs: ["keys.second"] },
  ),
  check(
    "IDEM-6",
    "an idempotency key with the same body is new for another API key",
    coreOnlyFor(
      casePerIdempotentOperation(async (tester, operation) => {
        const { body } = await validRequest(tester, operation);
        const options = { body, headers: newIdempotencyKey(tester) };
        await requestOk(tester, operation, options);
        assertNotReplayed(await requestOk(tester, operation, { ...options, key: "second" }));
      }),
    ),
    { needs: ["keys.second"] },
  ),
];
