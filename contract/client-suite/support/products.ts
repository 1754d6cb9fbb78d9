import { type OperationId, operations } from "../../../generated/operations.ts";
import type { TestCase } from "../../engine/check.ts";
import { testCase } from "../engine/client-check.ts";
import type { ClientTester } from "../engine/client-tester.ts";

const all = Object.keys(operations) as OperationId[];

/** The operations of a product, and those that belong to none. */
const operationsOf = (product: "email" | "newsletter"): OperationId[] =>
  all.filter((id) => [product, null].includes(operations[id].product));

/**
 * A test case for each product, because a client may have one of them.
 * @param run gets the operations of the product that the client has
 * @throws NotVerified if it has none of them
 */
export const byProduct = (
  run: (tester: ClientTester, ids: OperationId[]) => Promise<unknown>,
): TestCase<ClientTester>[] =>
  (["email", "newsletter"] as const).map((product) => {
    const ids = operationsOf(product);
    const [operation] = ids as [OperationId];
    return testCase(`operations of the product ${product}`, { operation }, async (tester) => {
      const available = ids.filter((id) => tester.capabilities.operations.includes(id));
      if (available.length === 0) tester.mustHave(operation);
      await run(tester, available);
    });
  });
