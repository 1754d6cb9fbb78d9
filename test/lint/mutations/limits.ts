import { change, type Defects, defect, field, put, remove, schema } from "../mutate/edit.ts";

const more = (name: string, keyword: string, value: number) =>
  defect("release", change(`${schema(name)}/${keyword}`, value));

export const limits: Defects = {
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
  "a larger batch": defect("release", change(`${field("BatchRequest", "emails")}/maxItems`, 101)),
  "an empty batch": defect("limits-resolve", remove(`${field("BatchRequest", "emails")}/minItems`)),
  "more requests in a minute": defect("release", change("/x-limits/requestsPerMinute/value", 100)),
  "a longer replay window": defect("release", change("/x-limits/idempotencyWindow/value", 48)),
  "a larger message": defect("release", change("/x-limits/messageSize/value", 25)),
  "hours for days": defect("release", change("/x-limits/scheduleAhead/unit", "hours")),
  "a limit removed": defect("release", remove("/x-limits/callLog")),
  "the limit of a schema removed": defect("bounds-are-limits", remove("/x-limits/subjectLength")),
  "a limit that points at nothing": defect(
    "limits-resolve",
    change("/x-limits/contactTags/schema", "#/components/schemas/ContactLabels"),
  ),
  "a number for a schema that does not exist": defect(
    "limits-resolve",
    change("/x-limits/scheduleAhead/schema", "#/components/schemas/SendingTime"),
  ),
  "a limit with another error": defect(
    "limits-resolve",
    change("/x-limits/subjectLength/error", "413.send_rejected"),
  ),
  "a limit with an error that does not exist": defect(
    "limits-resolve",
    change("/x-limits/subjectLength/error", "422.too_long"),
  ),
  "a number without its schema": defect("release", remove("/x-limits/scheduleAhead/schema")),
  "a limit with two numbers": defect("limits-resolve", put("/x-limits/attachments/value", 20)),
  "a limit that is marked as technical": defect(
    "bounds-are-limits",
    put(`${schema("IdempotencyKey")}/x-technical-limit`, true),
  ),
  "a technical limit that is not marked": defect(
    "bounds-are-limits",
    remove(`${schema("HtmlBody")}/x-technical-limit`),
  ),
};
