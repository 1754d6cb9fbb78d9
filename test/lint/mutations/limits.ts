import { change, field, put, remove, schema } from "../../document-edits.ts";
import type { Defects } from "../mutate/defects.ts";

const more = (name: string, keyword: string, value: number) => change(`${schema(name)}/${keyword}`, value);

export const limits: Defects = {
  release: {
    "a longer subject": more("Subject", "maxLength", 999),
    "more addresses in a field": more("EmailAddresses", "maxItems", 51),
    "fewer attachments": more("Attachments", "maxItems", 10),
    "more labels of a message": more("MessageTags", "maxProperties", 21),
    "a longer value of a label": more("MessageTagValue", "maxLength", 256),
    "more extra headers": more("ExtraHeaders", "maxProperties", 20),
    "a longer idempotency key": more("IdempotencyKey", "maxLength", 255),
    "a longer name of a contact": more("PersonName", "maxLength", 121),
    "more custom fields": more("FieldValues", "maxProperties", 25),
    "more labels of a contact": more("ContactTags", "maxItems", 19),
    "a longer label of a contact": more("ContactTag", "maxLength", 61),
    "a larger page": more("PageSize", "maximum", 1000),
    "a larger batch": change(`${field("BatchRequest", "emails")}/maxItems`, 101),
    "more requests in a minute": change("/x-limits/requestsPerMinute/value", 100),
    "a longer replay window": change("/x-limits/idempotencyWindow/value", 48),
    "a larger message": change("/x-limits/messageSize/value", 25),
    "hours for days": change("/x-limits/scheduleAhead/unit", "hours"),
    "a limit removed": remove("/x-limits/callLog"),
    "a number without its schema": remove("/x-limits/scheduleAhead/schema"),
  },
  "limits-resolve": {
    "an empty batch": remove(`${field("BatchRequest", "emails")}/minItems`),
    "a limit that points at nothing": change(
      "/x-limits/contactTags/schema",
      "#/components/schemas/ContactLabels",
    ),
    "a number for a schema that does not exist": change(
      "/x-limits/scheduleAhead/schema",
      "#/components/schemas/SendingTime",
    ),
    "a limit with another error": change("/x-limits/subjectLength/error", "413.send_rejected"),
    "a limit with an error that does not exist": change("/x-limits/subjectLength/error", "422.too_long"),
  },
  "tables-well-formed": {
    "a limit with two numbers": put("/x-limits/attachments/value", 20),
  },
  "bounds-are-limits": {
    "the limit of a schema removed": remove("/x-limits/subjectLength"),
    "a limit that is marked as technical": put(`${schema("IdempotencyKey")}/x-technical-limit`, true),
    "a technical limit that is not marked": remove(`${schema("HtmlBody")}/x-technical-limit`),
  },
};
