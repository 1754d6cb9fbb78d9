import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { type Check, check, type Trial } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { must } from "../engine/promise.ts";
import type { Asked, Tester } from "../engine/tester.ts";
import { equal, good, goodCall, refused, succeeded } from "./kit.ts";

const keyed = ["sendEmail", "sendBatch", "upsertContact"] as const satisfies readonly OperationId[];
const needs = ["domains.verified", "simulatorDomain"] as const;

/** A trial of each call that takes a key. */
const each = (run: (tester: Tester, operation: OperationId) => Promise<unknown>): Trial[] =>
  keyed.map((operation) => ({
    title: operation,
    operation,
    core: true,
    needs: operation === "upsertContact" ? ["lists.plain"] : needs,
    run: (tester) => run(tester, operation),
  }));

/** What one key brought: the original answer and the one to the same request again. */
interface Pair {
  asked: Asked;
  first: Exchange;
  second: Exchange;
}

const replayed = (tester: Tester, operation: OperationId): Promise<Pair> =>
  tester.once(`a replay of ${operation}`, async (own) => {
    const asked: Asked = {
      ...(await goodCall(own, operation)),
      headers: { "Idempotency-Key": own.run.unique() },
    };
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
    each(async (tester, operation) => {
      const asked = {
        ...(await goodCall(tester, operation)),
        headers: { "Idempotency-Key": tester.run.unique() },
      };
      const first = await good(tester, operation, asked);
      await tester.hook("advanceClock", { seconds: (limits.idempotencyWindow - 1) * 3600 });
      const second = await tester.ask(operation, asked);
      succeeded(second);
      equal(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
      equal(second, "the body of the first answer,", second.json, first.json);
    }),
  ),
];
