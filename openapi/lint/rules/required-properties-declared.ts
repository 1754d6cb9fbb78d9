import { schemas } from "../../../scripts/document/schemas.ts";
import { listOf, nodeOf, textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every required property is declared in properties.",
  *check(document) {
    for (const { path, schema, name, condition } of schemas(document)) {
      if (condition) continue;
      for (const field of textsOf(listOf(schema.required)))
        if (!Object.hasOwn(nodeOf(schema.properties), field))
          yield {
            path: [...path, "required"],
            message: `Add the property ${field} to ${name}, or remove it from required.`,
          };
    }
  },
};
