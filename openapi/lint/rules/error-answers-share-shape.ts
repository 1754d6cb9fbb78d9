import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { gatewayResponses, isError, responses } from "../../../scripts/document/responses.ts";
import type { Rule } from "../rule.ts";

const shape = "#/components/schemas/Error";

export const rule: Rule = {
  description: "Every error has the one shape of components/schemas/Error.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { path, response: answer, status, listed, name } of responses(document)) {
      if (!isError(status) && listed[0] !== gatewayResponses) continue;
      if (valueAt(answer, ["content", "application/json", "schema", "$ref"]) !== shape)
        yield { path, message: `Let the application/json schema of ${name} be a $ref to ${shape}.` };
    }
  },
};
