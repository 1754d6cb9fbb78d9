import { schemas } from "../../../scripts/document/schemas.ts";
import { textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every array has maxItems and items.",
  *check(document) {
    for (const { path, schema, name, condition } of schemas(document)) {
      if (condition || !textsOf(schema.type).includes("array")) continue;
      if (schema.maxItems === undefined)
        yield {
          path,
          message: `Add maxItems to ${name}, with x-technical-limit: true if the service specifies no limit.`,
        };
      if (schema.items === undefined)
        yield { path, message: `Add items to ${name}: specify what the array has.` };
    }
  },
};
