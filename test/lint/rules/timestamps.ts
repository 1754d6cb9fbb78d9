import { error, type Invalid, requestSchema, responseSchema, thing, type Valid } from "../fragments.ts";

const at = `${thing}/properties/sent_at`;
const sent = (schema: object) => ({ properties: { sent_at: schema } });
const moment = { type: "string", format: "date-time" };
const advice =
  "Add a pattern to Thing.sent_at that accepts UTC only, such as Z$: times in responses are in UTC.";

const offset = "Add a pattern to Thing.sent_at that requires an offset, such as (Z|[+-][0-9]{2}:[0-9]{2})$.";

export const valid: Valid = {
  "a time with any offset in a request": requestSchema(
    sent({ ...moment, pattern: "(Z|[+-][0-9]{2}:[0-9]{2})$" }),
  ),
  "a time in UTC in a response": responseSchema(sent({ ...moment, pattern: "(Z|[+-]00:00)$" })),
  "a time that may be null": responseSchema(sent({ ...moment, type: ["string", "null"], pattern: "Z$" })),
  "a name that only ends alike": responseSchema({ properties: { format: { type: "string" } } }),
};

export const invalid: Invalid = {
  "any text": {
    document: requestSchema(sent({ type: "string" })),
    findings: [error(at, "Make Thing.sent_at a string with format: date-time.")],
  },
  "a number": {
    document: responseSchema({ properties: { at: { type: "integer", format: "date-time" } } }),
    findings: [error(`${thing}/properties/at`, "Make Thing.at a string with format: date-time.")],
  },
  "no offset in a request": { document: requestSchema(sent(moment)), findings: [error(at, offset)] },
  "a request that takes UTC only": {
    document: requestSchema(sent({ ...moment, pattern: "Z$" })),
    findings: [error(at, offset)],
  },
  "any offset in a response": { document: responseSchema(sent(moment)), findings: [error(at, advice)] },
  "a pattern that takes another offset": {
    document: responseSchema(sent({ ...moment, pattern: "\\d$|Z$" })),
    findings: [error(at, advice)],
  },
  "a pattern that is none": {
    document: responseSchema(sent({ ...moment, pattern: "(" })),
    findings: [error(at, advice)],
  },
};
