import { schemas } from "../../../scripts/document/schemas.ts";
import { textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "Every string has maxLength, a fixed set of values or format: date-time.",
  *check({ schema, name, condition }) {
    if (condition || !textsOf(schema.type).includes("string")) return;
    // The rule date-times-plain forbids a length here.
    if (schema.format === "date-time") return;
    if (["maxLength", "enum", "const"].every((keyword) => schema[keyword] === undefined))
      yield `Add maxLength to ${name}, with x-technical-limit: true if the service specifies no limit.`;
  },
});
