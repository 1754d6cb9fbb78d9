import { schemas } from "../../../scripts/document/schemas.ts";
import { listOf, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "Every required property is declared in properties.",
  *check({ path, schema, name, condition }) {
    if (condition) return;
    for (const field of textsOf(listOf(schema.required)))
      if (!Object.hasOwn(nodeOf(schema.properties), field))
        yield {
          path: [...path, "required"],
          message: `Add the property ${field} to ${name}, or remove it from required.`,
        };
  },
});
