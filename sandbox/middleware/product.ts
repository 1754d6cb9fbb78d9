import type { OperationRow } from "../../generated/operations.ts";
import type { Account } from "../domain/records.ts";
import { type Refusal, refuse } from "../refusal.ts";

/** The product that the operations of a tag belong to. */
const products: Readonly<Record<string, keyof Account["products"] | undefined>> = {
  Emails: "email",
  Newsletter: "newsletter",
};

const missing = {
  email: refuse("402.no_plan", "This account has no transactional email plan."),
  newsletter: refuse("402.no_plan", "This account does not have the newsletter."),
};

/** Refuses a call for a product that the account does not have. */
export function checkProduct(operation: OperationRow, account: Account): Refusal<"402.no_plan"> | undefined {
  const product = products[operation.tag];
  return product === undefined || account.products[product] ? undefined : missing[product];
}
