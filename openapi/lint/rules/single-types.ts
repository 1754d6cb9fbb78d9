import { schemas } from "../../../scripts/document/schemas.ts";
import { listOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "A schema has one type, or one type and null: generators support no other list of types.",
  *check({ path, schema, name }) {
    const types = listOf(schema.type);
    if (types.filter((type) => type !== "null").length > 1)
      yield {
        path: [...path, "type"],
        message: `Write oneOf with a schema for each type instead of the list of types of ${name}.`,
      };
  },
});
