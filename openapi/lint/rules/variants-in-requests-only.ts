import { resolveSchema } from "../../../scripts/document/references.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { listOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description:
    "Responses have no variants of objects: several generators merge them, or read a response as the first one.",
  *check({ path, schema, name, condition, uses }, document) {
    if (condition || !uses.has("response")) return;
    for (const keyword of ["oneOf", "anyOf"]) {
      const objects = listOf(schema[keyword]).filter((one) => {
        const { type, properties } = resolveSchema(document, one);
        return type === "object" || properties !== undefined;
      });
      if (objects.length > 1)
        yield {
          path: [...path, keyword],
          message: `Write ${name} as one object instead of ${keyword}, with if, then and else for what differs.`,
        };
    }
  },
});
