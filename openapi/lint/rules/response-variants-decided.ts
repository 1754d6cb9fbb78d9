import { operationsOf } from "../../../scripts/document/operations.ts";
import { requestFields } from "../../../scripts/document/request-fields.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { listOf, nodeOf, textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "The request decides which variant a response has (x-variant-by-request).",
  *check({ schema, name, condition, uses }, document) {
    const variants = [...listOf(schema.oneOf), ...listOf(schema.anyOf)].map(nodeOf);
    const objects = variants.filter(({ type }) => type !== "null");
    if (condition || !uses.has("response") || objects.length < 2) return;
    const rule = schema["x-variant-by-request"];
    if (rule === undefined) {
      yield `Add x-variant-by-request to ${name}, so that no response is valid as the variant for another request.`;
      return;
    }
    const { property, present, absent } = nodeOf(rule);
    const known = operationsOf(document).some((one) => requestFields(document, one).has(textOf(property)));
    if (!known) yield `Set property in x-variant-by-request of ${name} to a field of a request.`;
    for (const [key, pointer] of Object.entries({ present, absent }))
      if (!objects.some(({ $ref }) => $ref === pointer))
        yield `Set ${key} in x-variant-by-request of ${name} to the $ref of one of its variants.`;
  },
});
