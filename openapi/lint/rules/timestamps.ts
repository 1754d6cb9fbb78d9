import { resolveSchema } from "../document/references.ts";
import { schemas } from "../document/schemas.ts";
import { textOf, textsOf } from "../document/values.ts";
import type { Rule } from "../rule.ts";

/** Whether the pattern takes times in UTC and refuses any other. */
const isUtc = (pattern: string): boolean => {
  try {
    const expression = new RegExp(pattern, "u");
    return expression.test("2026-11-21T09:30:00Z") && !expression.test("2026-11-21T09:30:00+01:00");
  } catch {
    return false;
  }
};

export const rule: Rule = {
  description: "A moment (at, ..._at) is a date-time; in an answer it is in UTC.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { path, schema, property, name, condition, uses } of schemas(document)) {
      if (condition || property === undefined || !/(^|_)at$/.test(property)) continue;
      const { type, format, pattern } = resolveSchema(document, schema);
      if (!textsOf(type).includes("string") || format !== "date-time")
        yield { path, message: `Let ${name} be a string with format: date-time.` };
      else if (uses.has("answer") && !isUtc(textOf(pattern) || "^$"))
        yield {
          path,
          message: `Add a pattern to ${name} that takes UTC only, such as Z$: times in answers are in UTC.`,
        };
    }
  },
};
