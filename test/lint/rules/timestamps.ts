import { answeredSchema, error, type Invalid, requestedSchema, thing, type Valid } from "../fragments.ts";

const at = `${thing}/properties/sent_at`;
const sent = (schema: object) => ({ properties: { sent_at: schema } });
const moment = { type: "string", format: "date-time" };
const advice = "Add a pattern to Thing.sent_at that takes UTC only, such as Z$: times in answers are in UTC.";

const offset = "Add a pattern to Thing.sent_at that asks for an offset, such as (Z|[+-][0-9]{2}:[0-9]{2})$.";

export const valid: Valid = {
  "a time with any offset in a request": requestedSchema(
    sent({ ...moment, pattern: "(Z|[+-][0-9]{2}:[0-9]{2})$" }),
  ),
  "a time in UTC in an answer": answeredSchema(sent({ ...moment, pattern: "(Z|[+-]00:00)$" })),
  "a time that may be null": answeredSchema(sent({ ...moment, type: ["string", "null"], pattern: "Z$" })),
  "a name that only ends alike": answeredSchema({ properties: { format: { type: "string" } } }),
};

export const invalid: Invalid = {
  "any text": {
    document: requestedSchema(sent({ type: "string" })),
    findings: [error(at, "Let Thing.sent_at be a string with format: date-time.")],
  },
  "a number": {
    document: answeredSchema({ properties: { at: { type: "integer", format: "date-time" } } }),
    findings: [error(`${thing}/properties/at`, "Let Thing.at be a string with format: date-time.")],
  },
  "no offset in a request": { document: requestedSchema(sent(moment)), findings: [error(at, offset)] },
  "a request that takes UTC only": {
    document: requestedSchema(sent({ ...moment, pattern: "Z$" })),
    findings: [error(at, offset)],
  },
  "any offset in an answer": { document: answeredSchema(sent(moment)), findings: [error(at, advice)] },
  "a pattern that takes another offset": {
    document: answeredSchema(sent({ ...moment, pattern: "\\d$|Z$" })),
    findings: [error(at, advice)],
  },
  "a pattern that is none": {
    document: answeredSchema(sent({ ...moment, pattern: "(" })),
    findings: [error(at, advice)],
  },
};
