import type { OperationRow } from "../../generated/operations.ts";
import type { Account } from "../domain/records.ts";
import { type Refusal, refuse } from "../refusal.ts";

const missing = {
  email: refuse("402.no_plan", "This account has no transactional email plan."),
  newsletter: refuse("402.no_plan", "This account does not have the newsletter."),
};

/** Refuses a call for a product that the account does not have. */
export function checkProduct(operation: OperationRow, account: Account): Refusal<"402.no_plan"> | undefined {
  const { product } = operation;
  return product === null || account.products[product] ? undefined : missing[product];
}
