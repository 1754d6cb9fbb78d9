import { resolveSchema } from "../../../scripts/document/references.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every property and every named schema has a description.",
  *check(document) {
    for (const { path, schema, name, property, condition } of schemas(document)) {
      const named = path.length === 3 && path[1] === "schemas";
      if (condition || (property === undefined && !named)) continue;
      if (textOf(resolveSchema(document, schema).description).trim() === "")
        yield { path, message: `Add a description to ${name}.` };
    }
  },
};
