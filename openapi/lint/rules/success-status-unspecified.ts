import { eachOperation, operationAt } from "../../../scripts/document/operations.ts";
import { isSuccess, responsesOf } from "../../../scripts/document/responses.ts";
import { textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "An unspecified success status is written 2XX, is marked, and is the only one.",
  given: eachOperation,
  *check(operation, { path, document }) {
    const place = operationAt(document, path);
    const successes = responsesOf(document, place).filter(({ status }) => isSuccess(status));
    const open = successes.find(({ status }) => status === "2XX");
    if (successes.length === 0)
      yield { path, message: `Add a successful response to ${place.id}, with its status or 2XX.` };
    if (open === undefined) return;
    if ([open.response, operation].flatMap((node) => textsOf(node["x-leaves-unspecified"])).length === 0)
      yield {
        path: open.listed,
        message: `Mark ${open.name} with x-leaves-unspecified: its status is unspecified.`,
      };
    for (const { listed, status } of successes)
      if (status !== "2XX")
        yield {
          path: listed,
          message: `Remove the ${status} response from ${place.id}: its success status is unspecified, as 2XX says.`,
        };
  },
};
