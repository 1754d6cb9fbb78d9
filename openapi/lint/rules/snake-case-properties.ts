import { schemas } from "../../../scripts/document/schemas.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Property names are snake_case.",
  *check(document) {
    for (const { path, property, name } of schemas(document))
      if (property !== undefined && !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(property))
        yield { path, message: `Change the name of ${name} to snake_case.` };
  },
};
