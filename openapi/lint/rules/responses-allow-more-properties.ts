import { schemas } from "../../../scripts/document/schemas.ts";
import { isNode } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description:
    "Objects in responses say that they allow more properties, which may be added within the version.",
  *check({ path, schema, name, condition, uses }) {
    if (uses.has("request") && !uses.has("response")) return;
    const { additionalProperties: more, unevaluatedProperties } = schema;
    if (unevaluatedProperties === false)
      yield {
        path: [...path, "unevaluatedProperties"],
        message: `Remove unevaluatedProperties from ${name}: responses may have more properties at any time.`,
      };
    // Some generators take an absent keyword for false.
    const isObject = schema.type === "object" && !condition;
    if (more === false || (isObject && more !== true && !isNode(more)))
      yield `Set additionalProperties of ${name} to true: responses may have more properties at any time.`;
  },
});
