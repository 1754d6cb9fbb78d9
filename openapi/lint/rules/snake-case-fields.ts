import { schemas } from "../../../scripts/document/schemas.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Names of fields are snake_case.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { path, property, name } of schemas(document))
      if (property !== undefined && !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(property))
        yield { path, message: `Write the name of ${name} in snake_case.` };
  },
};
