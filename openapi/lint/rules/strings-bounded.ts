import { schemas } from "../../../scripts/document/schemas.ts";
import { textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every string has maxLength or a fixed set of values.",
  *check(document) {
    for (const { path, schema, name, condition } of schemas(document)) {
      if (condition || !textsOf(schema.type).includes("string")) continue;
      if (["maxLength", "enum", "const"].every((keyword) => schema[keyword] === undefined))
        yield {
          path,
          message: `Add maxLength to ${name}, with x-technical-limit: true if the service specifies no limit.`,
        };
    }
  },
};
