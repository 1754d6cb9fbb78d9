import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { gatewayResponses, isError, responses } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

const shape = "#/components/schemas/Error";

export const rule: Rule = {
  description: "Every error response has the schema components/schemas/Error.",
  *check(document) {
    for (const { path, response, status, listed, name } of responses(document)) {
      if (!isError(status) && listed[0] !== gatewayResponses) continue;
      if (valueAt(response, ["content", "application/json", "schema", "$ref"]) !== shape)
        yield { path, message: `Make the application/json schema of ${name} a $ref to ${shape}.` };
    }
  },
};
