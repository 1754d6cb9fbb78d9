import { rowsFor } from "../../../scripts/document/errors.ts";
import { gatewayResponses, isError, listedResponses } from "../../../scripts/document/responses.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(listedResponses, {
  description: "Every error response of an operation has a row in the error table.",
  *check({ listed, status, operation }, document) {
    if (!isError(status) && listed[0] !== gatewayResponses) return;
    if (rowsFor(document, operation?.id, status).length === 0)
      yield {
        path: listed,
        message: `Remove the ${status} response from ${operation?.id ?? "the gateway"}, or add it to a row of x-errors with status ${status}.`,
      };
  },
});
