import { resolveSchema } from "../../../scripts/document/references.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "Every property and every named schema has a description.",
  *check({ path, schema, name, property, condition }, document) {
    const named = path.length === 3 && path[1] === "schemas";
    if (condition || (property === undefined && !named)) return;
    if (textOf(resolveSchema(document, schema).description).trim() === "")
      yield `Add a description to ${name}.`;
  },
});
