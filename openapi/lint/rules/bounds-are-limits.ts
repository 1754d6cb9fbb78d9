import { limitsAt } from "../../../scripts/document/limits.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { ruleForEach } from "../rule.ts";

const upper = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"];
const lower = ["minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum"];

/**
 * A bound is a requirement if a row of x-limits points to it; otherwise it must be marked as a technical limit.
 * A lower bound needs no mark beside an upper bound that is a limit.
 */
export const rule = ruleForEach(schemas, {
  description: "Every bound is a row of x-limits or is marked as a technical limit.",
  *check({ path, schema, name, condition }, document) {
    const bounds = [...upper, ...lower].filter((keyword) => schema[keyword] !== undefined);
    if (condition || bounds.length === 0) return;
    const limits = limitsAt(document, path);
    const technical = schema["x-technical-limit"] === true;
    if (technical && limits[0] !== undefined)
      yield `Remove x-technical-limit from ${name}: its ${limits[0].keyword} is the limit ${limits[0].name}.`;
    const loose = bounds.filter((keyword) =>
      upper.includes(keyword) ? limits.every((limit) => limit.keyword !== keyword) : limits.length === 0,
    );
    if (!technical && loose.length > 0)
      yield `Point a row of x-limits to ${loose.join(" and ")} of ${name}, or mark it with x-technical-limit: true.`;
  },
});
