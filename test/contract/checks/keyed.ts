import type { OperationId } from "../../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import type { TestCase } from "../engine/check.ts";
import type { Exchange, RequestOptions } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { validRequest } from "./kit.ts";

const keyed = ["sendEmail", "sendBatch", "upsertContact"] as const satisfies readonly OperationId[];
export const needs = ["domains.verified", "simulatorDomain"] as const;

/** A trial of each call that takes a key. */
export const each = (run: (tester: Tester, operation: OperationId) => Promise<unknown>): TestCase[] =>
  keyed.map((operation) => ({
    title: operation,
    operation,
    core: true,
    needs: operation === "upsertContact" ? ["lists.plain"] : needs,
    run: (tester) => run(tester, operation),
  }));

/** An idempotency key that nobody has used before, in its header. */
export const newKey = (tester: Tester): Record<string, string> => ({
  "Idempotency-Key": tester.run.unique(),
});

/** A good call with an idempotency key of its own. */
export const keyedCall = async (tester: Tester, operation: OperationId): Promise<RequestOptions> => ({
  ...(await validRequest(tester, operation)),
  headers: newKey(tester),
});

/** The same trials, of which few are in the profile `core`: those of one operation, or none. */
export const inCore = (trials: TestCase[], operation?: OperationId): TestCase[] =>
  trials.map((trial) => ({ ...trial, core: trial.operation === operation }));

/** The answer is no replay. */
export function isNew(exchange: Exchange): void {
  assert(exchange.headers["idempotent-replayed"] !== "true", exchange, {
    expected: "an answer of its own",
    found: "Idempotent-Replayed: true",
  });
}
