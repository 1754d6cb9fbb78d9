import { error, type Invalid, requestSchema, responseSchema, thing, type Valid } from "../fragments.ts";

const at = `${thing}/properties/sent_at`;
const sent = (schema: object) => ({ properties: { sent_at: schema } });
const moment = { type: "string", format: "date-time" };
const zero = "Add x-utc-offset: zero to Thing.sent_at: times in responses are in UTC.";
const any = "Add x-utc-offset: any to Thing.sent_at: times in requests have any offset, but must have one.";

export const valid: Valid = {
  "a time with any offset in a request": requestSchema(sent({ ...moment, "x-utc-offset": "any" })),
  "a time in UTC in a response": responseSchema(sent({ ...moment, "x-utc-offset": "zero" })),
  "a time that may be null": responseSchema(
    sent({ ...moment, type: ["string", "null"], "x-utc-offset": "zero" }),
  ),
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
  "no offset in a request": { document: requestSchema(sent(moment)), findings: [error(at, any)] },
  "a request that takes UTC only": {
    document: requestSchema(sent({ ...moment, "x-utc-offset": "zero" })),
    findings: [error(at, any)],
  },
  "any offset in a response": {
    document: responseSchema(sent({ ...moment, "x-utc-offset": "any" })),
    findings: [error(at, zero)],
  },
  "no rule for the offset in a response": {
    document: responseSchema(sent(moment)),
    findings: [error(at, zero)],
  },
};
