import type { OperationRow } from "../../generated/operations.ts";
import { type ErrorResponse, errorResponse } from "../api/error-response.ts";
import type { Account } from "../domain/records.ts";

const missing = {
  email: errorResponse("402.no_plan", "This account has no transactional email plan."),
  newsletter: errorResponse("402.no_plan", "This account does not have the newsletter."),
};

/** Refuses a call for a product that the account does not have. */
export function checkProduct(
  operation: OperationRow,
  account: Account,
): ErrorResponse<"402.no_plan"> | undefined {
  const { product } = operation;
  return product === null || account.products[product] ? undefined : missing[product];
}
