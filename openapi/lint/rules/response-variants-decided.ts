import { operationsOf } from "../../../scripts/document/operations.ts";
import { requestFields } from "../../../scripts/document/requests.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { listOf, nodeOf, textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

const keyword = "x-variant-by-request";

export const rule = ruleForEach(schemas, {
  description: "The request decides which properties a response has if they differ (x-variant-by-request).",
  *check({ path, schema, name, condition, uses }, document) {
    if (condition || !uses.has("response")) return;
    const property = schema[keyword];
    const isVaried = schema.then !== undefined || schema.else !== undefined;
    if (property === undefined) {
      if (isVaried)
        yield `Add ${keyword} to ${name}, so that no response is valid as the variant for another request.`;
      return;
    }
    const at = (message: string) => ({ path: [...path, keyword], message });
    if (!operationsOf(document).some((one) => requestFields(document, one).has(textOf(property))))
      yield at(`Set ${keyword} of ${name} to a field of a request.`);
    const required = listOf(nodeOf(schema.if).required);
    if (required.length !== 1 || required[0] !== property)
      yield at(`Make the condition of ${name} if: { required: [${property}] }, as its ${keyword} says.`);
  },
});
