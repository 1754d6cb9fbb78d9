import { schemas } from "../../../scripts/document/schemas.ts";
import { textOf, textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

const formats: Record<string, string[]> = { number: ["float", "double"], integer: ["int32", "int64"] };

export const rule = ruleForEach(schemas, {
  description: "A number has a format: without one, some languages use 32 bits.",
  *check({ schema, name, condition }) {
    if (condition) return;
    for (const type of textsOf(schema.type)) {
      const known = formats[type];
      if (known !== undefined && !known.includes(textOf(schema.format)))
        yield `Add format: ${known.join(" or ")} to ${name}.`;
    }
  },
});
