import { resolveSchema } from "../../../scripts/document/references.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "A time (at, ..._at) is a date-time: with an offset in requests, in UTC in responses.",
  *check({ schema, property, name, condition, uses }, document) {
    if (condition || property === undefined || !/(^|_)at$/.test(property)) return;
    const { type, format, "x-utc-offset": offset } = resolveSchema(document, schema);
    if (!textsOf(type).includes("string") || format !== "date-time")
      yield `Make ${name} a string with format: date-time.`;
    else if (uses.has("response") && offset !== "zero")
      yield `Add x-utc-offset: zero to ${name}: times in responses are in UTC.`;
    else if (uses.has("request") && !uses.has("response") && offset !== "any")
      yield `Add x-utc-offset: any to ${name}: times in requests have any offset, but must have one.`;
  },
});
