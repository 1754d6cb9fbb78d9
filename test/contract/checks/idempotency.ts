import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Exchange, RequestOptions } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { each, inCore, isNew, keyedCall, newKey } from "./keyed.ts";
import { assertEqual, assertError, assertSuccess, okResponse, requestOk, validRequest } from "./kit.ts";

/** What one key brought: the original answer and the one to the same request again. */
interface Pair {
  asked: RequestOptions;
  first: Exchange;
  second: Exchange;
}

const replayed = (tester: Tester, operation: OperationId): Promise<Pair> =>
  tester.once(`a replay of ${operation}`, async (own) => {
    const asked = await keyedCall(own, operation);
    const first = await requestOk(own, operation, asked);
    return { asked, first, second: await own.request(operation, asked) };
  });

export const idempotency: Check[] = [
  check(
    "IDEM-1",
    "the same key with the same body is answered with the original answer",
    each(async (tester, operation) => {
      const { first, second } = await replayed(tester, operation);
      assertEqual(second, "status", second.status, first.status);
      assertEqual(second, "the body of the first answer,", second.json, first.json);
    }),
  ),
  check(
    "IDEM-7",
    "a replayed answer says that it is one, and the original does not",
    each(async (tester, operation) => {
      const { first, second } = await replayed(tester, operation);
      assertEqual(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
      assert(first.headers["idempotent-replayed"] !== "true", first, {
        expected: "no Idempotent-Replayed: true on the original answer",
        found: "Idempotent-Replayed: true",
      });
    }),
  ),
  check(
    "IDEM-7",
    "an answer to a call without a key is no replay",
    each(async (tester, operation) => isNew(await okResponse(tester, operation))),
  ),
  check(
    "IDEM-2",
    "the same key with another body is refused with 409 idempotency_conflict",
    each(async (tester, operation) => {
      const { asked } = await replayed(tester, operation);
      const { body } = await validRequest(tester, operation);
      assertError(await tester.request(operation, { ...asked, body }), 409, "idempotency_conflict");
    }),
  ),
  check(
    "IDEM-9",
    "a key is still remembered shortly before the replay window ends",
    inCore(
      each(async (tester, operation) => {
        const asked = await keyedCall(tester, operation);
        const first = await requestOk(tester, operation, asked);
        await tester.hook("advanceClock", { seconds: (limits.idempotencyWindow - 1) * 3600 });
        const second = await tester.request(operation, asked);
        assertSuccess(second);
        assertEqual(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
        assertEqual(second, "the body of the first answer,", second.json, first.json);
      }),
      "sendEmail",
    ),
    { tags: ["clock"], needs: ["hooks.advanceClock"] },
  ),
  check(
    "IDEM-4",
    "every character of an idempotency key counts, up to its limit",
    inCore(
      each(async (tester, operation) => {
        const start = tester.run.unique().padEnd(limits.idempotencyKeyLength - 1, "-");
        for (const last of ["a", "b"]) {
          const headers = { "Idempotency-Key": start + last };
          isNew(await requestOk(tester, operation, { ...(await validRequest(tester, operation)), headers }));
        }
      }),
    ),
  ),
  check(
    "IDEM-6",
    "an idempotency key is new under another API key of the account",
    each(async (tester, operation) => {
      const { asked } = await replayed(tester, operation);
      const { body } = await validRequest(tester, operation);
      isNew(await requestOk(tester, operation, { ...asked, body, key: "second" }));
    }),
    { needs: ["keys.second"] },
  ),
  check(
    "IDEM-6",
    "an idempotency key with the same body is new under another API key of the account",
    inCore(
      each(async (tester, operation) => {
        const { body } = await validRequest(tester, operation);
        const asked = { body, headers: newKey(tester) };
        await requestOk(tester, operation, asked);
        isNew(await requestOk(tester, operation, { ...asked, key: "second" }));
      }),
    ),
    { needs: ["keys.second"] },
  ),
];
