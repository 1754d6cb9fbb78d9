import { resolveSchema } from "../../../scripts/document/references.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { textOf, textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

const inUtc = "2026-11-21T09:30:00Z";
const elsewhere = "2026-11-21T09:30:00+01:00";
const nowhere = "2026-11-21T09:30:00";

/** Whether the pattern accepts and rejects these times; no pattern accepts all. */
const matches = (pattern: unknown, accepted: string[], rejected: string[]): boolean => {
  try {
    const expression = new RegExp(textOf(pattern), "u");
    return accepted.every((time) => expression.test(time)) && !rejected.some((time) => expression.test(time));
  } catch {
    return false;
  }
};

export const rule = ruleForEach(schemas, {
  description: "A time (at, ..._at) is a date-time: with an offset in requests, in UTC in responses.",
  *check({ schema, property, name, condition, uses }, document) {
    if (condition || property === undefined || !/(^|_)at$/.test(property)) return;
    const { type, format, pattern } = resolveSchema(document, schema);
    if (!textsOf(type).includes("string") || format !== "date-time")
      yield `Make ${name} a string with format: date-time.`;
    else if (uses.has("response") && !matches(pattern, [inUtc], [elsewhere, nowhere]))
      yield `Add a pattern to ${name} that accepts UTC only, such as Z$: times in responses are in UTC.`;
    // Some validators accept a date-time without an offset.
    else if (uses.has("request") && !uses.has("response") && !matches(pattern, [inUtc, elsewhere], [nowhere]))
      yield `Add a pattern to ${name} that requires an offset, such as (Z|[+-][0-9]{2}:[0-9]{2})$.`;
  },
});
