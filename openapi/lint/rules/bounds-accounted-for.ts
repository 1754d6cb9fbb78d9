import { limitsAt } from "../../../scripts/document/limits.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import type { Rule } from "../rule.ts";

const upper = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"];
const lower = ["minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum"];

/**
 * A bound is a promise when a row of x-limits points at it; otherwise it must say that it is a technical ceiling
 * of the document. A lower bound may stand beside a promised upper one.
 */
export const rule: Rule = {
  description: "Every bound is a limit of x-limits or is marked as a technical ceiling.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { path, schema, name, condition } of schemas(document)) {
      const bounds = [...upper, ...lower].filter((keyword) => schema[keyword] !== undefined);
      if (condition || bounds.length === 0) continue;
      const limits = limitsAt(document, path);
      const ceiling = schema["x-technical-limit"] === true;
      const say = (message: string) => ({ path, message });
      if (ceiling && limits[0] !== undefined)
        yield say(
          `Remove x-technical-limit from ${name}: the limit ${limits[0].name} promises its ${limits[0].keyword}.`,
        );
      const loose = bounds.filter((keyword) =>
        upper.includes(keyword) ? limits.every((limit) => limit.keyword !== keyword) : limits.length === 0,
      );
      if (!ceiling && loose.length > 0)
        yield say(
          `Point a row of x-limits at ${loose.join(" and ")} of ${name}, or mark it with x-technical-limit: true.`,
        );
    }
  },
};
