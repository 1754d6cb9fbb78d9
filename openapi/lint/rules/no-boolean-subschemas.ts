import { schemas, subSchemas } from "../../../scripts/document/schemas.ts";
import { ruleForEach } from "../rule.ts";

/** Keywords whose boolean every tool takes. */
const usual = new Set(["additionalProperties", "unevaluatedProperties", "unevaluatedItems"]);

export const rule = ruleForEach(schemas, {
  description: "No subschema is a boolean: tools that compare documents reject it.",
  *check({ path, schema }) {
    for (const part of subSchemas(schema)) {
      if (typeof part.schema !== "boolean" || usual.has(String(part.path[0]))) continue;
      const message = part.schema
        ? `Write {} instead of true at ${part.path.join(".")}.`
        : `Write not: { required: [...] } on the object instead of false at ${part.path.join(".")}.`;
      yield { path: [...path, ...part.path], message };
    }
  },
});
