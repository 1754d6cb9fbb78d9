import type { OperationId } from "../../../../generated/operations.ts";
import { operations } from "../../../../generated/operations.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { bodiesOf } from "../support/bodies.ts";
import { existing } from "../support/existing.ts";

interface PlannedCall {
  operation: OperationId;
  title: string;
  options: { body?: unknown };
}

/** A call for each example of a request in the document, and one for each operation without a body. */
const calls = (Object.keys(operations) as OperationId[]).flatMap((operation): PlannedCall[] => {
  const bodies = Object.entries(bodiesOf(operation));
  if (bodies.length === 0) return [{ operation, title: operation, options: {} }];
  return bodies.map(([name, body]) => ({
    operation,
    title: `${operation}, example ${name}`,
    options: { body },
  }));
});

export const requestChecks: ClientCheck[] = [
  check(
    ["GEN-1", "GEN-3", "GEN-5", "AUTH-1"],
    "a call sends one request with the method, path, headers and body of its operation",
    calls.map(({ operation, title, options }) =>
      testCase(title, { operation, core: true }, async (tester) => {
        tester.mustHave(operation);
        const path = await existing(tester, operation);
        const called = await tester.call(operation, { path, ...options });
        called.assert(called.wire.length === 1, "one request", `${called.wire.length} requests`);
        return called.result;
      }),
    ),
  ),
];
