import { add, change, type Defects, defect, inRow, put, remove } from "../mutate/edit.ts";
import { at, field, header, parameter, schema } from "../mutate/places.ts";

export const openness: Defects = {
  "error types as a closed set": defect(
    "open-sets-stay-open",
    put(`${schema("ErrorType")}/enum`, ["unauthorized"]),
  ),
  "event types as a closed set": defect(
    "open-sets-stay-open",
    put(`${schema("EventType")}/enum`, ["sent", "bounced"]),
  ),
  "event types that are not listed": defect(
    "open-sets-stay-open",
    remove(`${schema("EventType")}/x-extensible-enum`),
  ),
  "an answer that refuses new fields": defect(
    "answers-stay-open",
    put(`${schema("Message")}/additionalProperties`, false),
  ),
  "an entry of an answer that refuses new fields": defect(
    "answers-stay-open",
    put(`${schema("MessageEvent")}/additionalProperties`, false),
  ),
  "a request that refuses unknown fields": defect(
    "requests-stay-open",
    put(`${schema("Consent")}/unevaluatedProperties`, false),
  ),
  "reply_to as a list": defect(
    "unspecified-stays-open",
    change(schema("ReplyTo"), {
      description: "Where replies go.",
      type: "array",
      maxItems: 10,
      "x-technical-limit": true,
      items: { $ref: "#/components/schemas/EmailAddress" },
    }),
  ),
  "classes of a bounce": defect(
    "unspecified-stays-open",
    put(`${field("Bounce", "type")}/enum`, ["hard", "soft"]),
  ),
  "fields about the key": defect(
    "unspecified-stays-open",
    put(`${schema("Account")}/properties`, {
      abilities: { description: "What it may do.", type: "boolean" },
    }),
  ),
  "fields of a changed time": defect(
    "unspecified-stays-open",
    put(`${schema("RescheduleResponse")}/properties`, { id: { $ref: "#/components/schemas/MessageId" } }),
  ),
  "the recipients of a scheduled send": defect(
    "unspecified-stays-open",
    put(field("ScheduledEmail", "to"), { $ref: "#/components/schemas/EmailAddresses" }),
  ),
  "the number of the monthly allowance": defect(
    "unspecified-stays-open",
    put(`${header("MonthlyQuota")}/schema`, { const: 50000 }),
  ),
  webhooks: defect("unspecified-stays-open", put("/webhooks", {})),
  "an answer to a body that is not JSON": defect(
    "unspecified-stays-open",
    put(`${at.sendEmail}/responses/415`, { $ref: "#/components/responses/SendInvalid" }),
  ),
  "the size of a page without a limit": defect(
    "unspecified-stays-open",
    put(`${parameter("PageLimit")}/schema/default`, 50),
  ),
  "at least one recipient": defect("unspecified-stays-open", put(`${schema("EmailAddresses")}/minItems`, 1)),
  "an open place dropped from the list": defect("unspecified-ids-known", remove("/x-unspecified/12")),
  "a mark of an open place that does not exist": defect(
    "unspecified-ids-known",
    put(`${at.getMe}/x-leaves-unspecified`, ["OPEN-999"]),
  ),
  "a requirement that does not exist": defect(
    "requirement-ids-known",
    add(`${at.sendEmail}/x-encodes`, "SEND-999"),
  ),
  "a requirement dropped from the list": defect(
    "requirement-ids-known",
    inRow("/x-requirements/sending", "id", "SEND-1", remove),
  ),
  "a requirement with the id of another": defect(
    "row-ids-unique",
    add("/x-requirements/account", {
      id: "ME-1",
      text: "A key learns its name.",
      kind: "shape",
      operations: ["getMe"],
    }),
  ),
  "a guard that looks at a place which is not there": defect(
    "absent-places-exist",
    add("/x-unspecified/1/absent", "/components/schemas/NoSuchSchema/enum"),
  ),
};
