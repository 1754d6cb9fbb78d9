import { type OperationId, operations } from "../../../generated/operations.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { requirementOf } from "../engine/reply-checks.ts";
import { bodiesOf } from "../support/bodies.ts";
import { existing } from "../support/existing.ts";

/** The example bodies of an operation in the document; an operation without a body is called once. */
const bodies = (operation: OperationId): { body?: unknown }[] => {
  const all = Object.values(bodiesOf(operation)).map((body) => ({ body }));
  return all.length === 0 ? [{}] : all;
};

export const requestChecks: ClientCheck[] = [
  check(
    ["GEN-1", "GEN-3", "GEN-5", "AUTH-1"],
    "a call sends one request with the method, path, headers and body of its operation",
    (Object.keys(operations) as OperationId[]).map((operation) =>
      testCase(operation, { operation, core: true }, async (tester) => {
        tester.mustHave(operation);
        const path = await existing(tester, operation);
        for (const options of bodies(operation)) {
          const called = await tester.call(operation, { path, ...options });
          void called.about(requirementOf[operation]).result;
          called
            .about("GEN-1")
            .assert(called.wire.length === 1, "one request", `${called.wire.length} requests`);
        }
      }),
    ),
  ),
];
