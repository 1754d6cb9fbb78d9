import { gatewayResponses, listedResponses } from "../../../scripts/document/responses.ts";
import { nodeOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

const statuses = ["404", "405"];

export const rule: Rule = {
  description: "Unknown paths (404) and methods (405) have gateway responses.",
  *check(document) {
    const gateway = nodeOf(document[gatewayResponses]);
    for (const status of statuses)
      if (!Object.hasOwn(gateway, status))
        yield {
          path: gatewayResponses in document ? [gatewayResponses] : [],
          message: `Add the ${status} response to ${gatewayResponses}.`,
        };
    for (const { listed, status, operation } of listedResponses(document))
      if (operation !== undefined && status === "405")
        yield {
          path: listed,
          message: `Remove the 405 response from ${operation.id}: it is a gateway response.`,
        };
  },
};
