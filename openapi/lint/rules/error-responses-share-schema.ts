import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { gatewayResponses, isError, responses } from "../../../scripts/document/responses.ts";
import { ruleForEach } from "../rule.ts";

const shape = "#/components/schemas/ErrorResponse";

export const rule = ruleForEach(responses, {
  description: "Every error response has the schema components/schemas/ErrorResponse.",
  *check({ response, status, listed, name }) {
    if (!isError(status) && listed[0] !== gatewayResponses) return;
    if (valueAt(response, ["content", "application/json", "schema", "$ref"]) !== shape)
      yield `Make the application/json schema of ${name} a $ref to ${shape}.`;
  },
});
