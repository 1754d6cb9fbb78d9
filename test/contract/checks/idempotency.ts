import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { type Check, check } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { must } from "../engine/promise.ts";
import type { Asked, Tester } from "../engine/tester.ts";
import { each, inCore, isNew, keyedCall, newKey } from "./keyed.ts";
import { equal, good, goodAnswer, goodCall, refused, succeeded } from "./kit.ts";

/** What one key brought: the original answer and the one to the same request again. */
interface Pair {
  asked: Asked;
  first: Exchange;
  second: Exchange;
}

const replayed = (tester: Tester, operation: OperationId): Promise<Pair> =>
  tester.once(`a replay of ${operation}`, async (own) => {
    const asked = await keyedCall(own, operation);
    const first = await good(own, operation, asked);
    return { asked, first, second: await own.ask(operation, asked) };
  });

export const idempotency: Check[] = [
  check(
    "IDEM-1",
    "the same key with the same body is answered with the original answer",
    {},
    each(async (tester, operation) => {
      const { first, second } = await replayed(tester, operation);
      equal(second, "status", second.status, first.status);
      equal(second, "the body of the first answer,", second.json, first.json);
    }),
  ),
  check(
    "IDEM-7",
    "a replayed answer says that it is one, and the original does not",
    {},
    each(async (tester, operation) => {
      const { first, second } = await replayed(tester, operation);
      equal(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
      must(first.headers["idempotent-replayed"] !== "true", first, {
        expected: "no Idempotent-Replayed: true on the original answer",
        found: "Idempotent-Replayed: true",
      });
    }),
  ),
  check(
    "IDEM-7",
    "an answer to a call without a key is no replay",
    {},
    each(async (tester, operation) => isNew(await goodAnswer(tester, operation))),
  ),
  check(
    "IDEM-2",
    "the same key with another body is refused with 409 idempotency_conflict",
    {},
    each(async (tester, operation) => {
      const { asked } = await replayed(tester, operation);
      const { body } = await goodCall(tester, operation);
      refused(await tester.ask(operation, { ...asked, body }), 409, "idempotency_conflict");
    }),
  ),
  check(
    "IDEM-9",
    "a key is still remembered shortly before the replay window ends",
    { tags: ["clock"], needs: ["hooks.advanceClock"] },
    inCore(
      each(async (tester, operation) => {
        const asked = await keyedCall(tester, operation);
        const first = await good(tester, operation, asked);
        await tester.hook("advanceClock", { seconds: (limits.idempotencyWindow - 1) * 3600 });
        const second = await tester.ask(operation, asked);
        succeeded(second);
        equal(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
        equal(second, "the body of the first answer,", second.json, first.json);
      }),
      "sendEmail",
    ),
  ),
  check(
    "IDEM-4",
    "every character of an idempotency key counts, up to its limit",
    {},
    inCore(
      each(async (tester, operation) => {
        const start = tester.run.unique().padEnd(limits.idempotencyKeyLength - 1, "-");
        for (const last of ["a", "b"]) {
          const headers = { "Idempotency-Key": start + last };
          isNew(await good(tester, operation, { ...(await goodCall(tester, operation)), headers }));
        }
      }),
    ),
  ),
  check(
    "IDEM-6",
    "an idempotency key is new under another API key of the account",
    { needs: ["keys.second"] },
    each(async (tester, operation) => {
      const { asked } = await replayed(tester, operation);
      const { body } = await goodCall(tester, operation);
      isNew(await good(tester, operation, { ...asked, body, key: "second" }));
    }),
  ),
  check(
    "IDEM-6",
    "an idempotency key with the same body is new under another API key of the account",
    { needs: ["keys.second"] },
    inCore(
      each(async (tester, operation) => {
        const { body } = await goodCall(tester, operation);
        const asked = { body, headers: newKey(tester) };
        await good(tester, operation, asked);
        isNew(await good(tester, operation, { ...asked, key: "second" }));
      }),
    ),
  ),
];
