import { resolveSchema } from "../../../scripts/document/references.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { textOf, textsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

const inUtc = "2026-11-21T09:30:00Z";
const elsewhere = "2026-11-21T09:30:00+01:00";
const nowhere = "2026-11-21T09:30:00";

/** Whether the pattern takes these times and refuses those; no pattern takes all. */
const tells = (pattern: unknown, taken: string[], refused: string[]): boolean => {
  try {
    const expression = new RegExp(textOf(pattern), "u");
    return taken.every((time) => expression.test(time)) && !refused.some((time) => expression.test(time));
  } catch {
    return false;
  }
};

export const rule: Rule = {
  description: "A moment (at, ..._at) is a date-time: with its offset in a request, in UTC in an answer.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { path, schema, property, name, condition, uses } of schemas(document)) {
      if (condition || property === undefined || !/(^|_)at$/.test(property)) continue;
      const { type, format, pattern } = resolveSchema(document, schema);
      if (!textsOf(type).includes("string") || format !== "date-time")
        yield { path, message: `Let ${name} be a string with format: date-time.` };
      else if (uses.has("answer") && !tells(pattern, [inUtc], [elsewhere, nowhere]))
        yield {
          path,
          message: `Add a pattern to ${name} that takes UTC only, such as Z$: times in answers are in UTC.`,
        };
      // Some validators take a time without an offset for a date-time.
      else if (uses.has("request") && !uses.has("answer") && !tells(pattern, [inUtc, elsewhere], [nowhere]))
        yield {
          path,
          message: `Add a pattern to ${name} that asks for an offset, such as (Z|[+-][0-9]{2}:[0-9]{2})$.`,
        };
    }
  },
};
