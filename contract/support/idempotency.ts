import type { OperationId } from "../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import { type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { validRequest } from "./requests.ts";

const keyed = ["sendEmail", "sendBatch", "upsertContact"] as const satisfies readonly OperationId[];

export const needs = ["domains.verified", "simulatorDomain"] as const;

/** One case per operation with idempotency keys. */
export const casePerIdempotentOperation = (
  run: (tester: Tester, operation: OperationId) => Promise<unknown>,
): TestCase[] =>
  keyed.map((operation) =>
    testCase(
      operation,
      { operation, core: true, needs: operation === "upsertContact" ? ["lists.plain"] : needs },
      (tester) => run(tester, operation),
    ),
  );

/** A new idempotency key, in its header. */
export const newIdempotencyKey = (tester: Tester): Record<string, string> => ({
  "Idempotency-Key": tester.run.unique(),
});

/** A valid request with a new idempotency key. */
export const requestWithKey = async (tester: Tester, operation: OperationId): Promise<RequestOptions> => ({
  ...(await validRequest(tester, operation)),
  headers: newIdempotencyKey(tester),
});

/** The same cases, of which the profile `core` includes those of one operation or none. */
export const coreOnlyFor = (cases: TestCase[], operation?: OperationId): TestCase[] =>
  cases.map((testCase) => ({ ...testCase, core: testCase.operation === operation }));

export function assertNotReplayed(exchange: Exchange): void {
  assert(exchange.headers["idempotent-replayed"] !== "true", exchange, {
    expected: "a response that is not a replay",
    found: "Idempotent-Replayed: true",
  });
}
