import { gatewayResponses, listedResponses } from "../../../scripts/document/responses.ts";
import { nodeOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

const statuses = ["404", "405"];

export const rule: Rule = {
  description:
    "Unknown addresses (404) and methods (405) are answered by the shared front, before any operation.",
  severity: "error",
  given: "$",
  *check(document) {
    const front = nodeOf(document[gatewayResponses]);
    for (const status of statuses)
      if (!Object.hasOwn(front, status))
        yield {
          path: gatewayResponses in document ? [gatewayResponses] : [],
          message: `Add the ${status} answer of the shared front to ${gatewayResponses}.`,
        };
    for (const { listed, status, operation } of listedResponses(document))
      if (operation !== undefined && status === "405")
        yield {
          path: listed,
          message: `Remove the 405 answer from ${operation.id}: no call that reaches an operation is answered with it.`,
        };
  },
};
