import {
  add,
  at,
  change,
  type Defects,
  defect,
  field,
  header,
  inRow,
  parameter,
  put,
  remove,
  schema,
} from "../mutate/edit.ts";

export const unspecified: Defects = {
  "error types as a closed set": defect(
    "extensible-enums-not-closed",
    put(`${schema("ErrorType")}/enum`, ["unauthorized"]),
  ),
  "event types as a closed set": defect(
    "extensible-enums-not-closed",
    put(`${schema("EventType")}/enum`, ["sent", "bounced"]),
  ),
  "event types that are not listed": defect(
    "extensible-enums-not-closed",
    remove(`${schema("EventType")}/x-extensible-enum`),
  ),
  "a response that rejects more properties": defect(
    "responses-allow-more-properties",
    put(`${schema("Message")}/additionalProperties`, false),
  ),
  "an entry of a response that rejects more properties": defect(
    "responses-allow-more-properties",
    put(`${schema("MessageEvent")}/additionalProperties`, false),
  ),
  "a request that rejects unknown properties": defect(
    "requests-allow-more-properties",
    put(`${schema("Consent")}/unevaluatedProperties`, false),
  ),
  "reply_to as a list": defect(
    "unspecified-stays-absent",
    change(schema("ReplyTo"), {
      description: "Where replies go.",
      type: "array",
      maxItems: 10,
      "x-technical-limit": true,
      items: { $ref: "#/components/schemas/EmailAddress" },
    }),
  ),
  "classes of a bounce": defect(
    "unspecified-stays-absent",
    put(`${field("Bounce", "type")}/enum`, ["hard", "soft"]),
  ),
  "fields about the key": defect(
    "unspecified-stays-absent",
    put(`${schema("Account")}/properties`, {
      abilities: { description: "What it may do.", type: "boolean" },
    }),
  ),
  "fields of a changed time": defect(
    "unspecified-stays-absent",
    put(`${schema("RescheduleResponse")}/properties`, { id: { $ref: "#/components/schemas/MessageId" } }),
  ),
  "the recipients of a scheduled send": defect(
    "unspecified-stays-absent",
    put(`${schema("SendResponse")}/then/properties/to`, { $ref: "#/components/schemas/EmailAddresses" }),
  ),
  "the number of the monthly allowance": defect(
    "unspecified-stays-absent",
    put(`${header("MonthlyQuota")}/schema`, { const: 50000 }),
  ),
  webhooks: defect("unspecified-stays-absent", put("/webhooks", {})),
  "a response to a body that is not JSON": defect(
    "unspecified-stays-absent",
    put(`${at.sendEmail}/responses/415`, { $ref: "#/components/responses/SendInvalid" }),
  ),
  "the size of a page without a limit": defect(
    "unspecified-stays-absent",
    put(`${parameter("PageLimit")}/schema/default`, 50),
  ),
  "at least one recipient": defect(
    "unspecified-stays-absent",
    put(`${schema("EmailAddresses")}/minItems`, 1),
  ),
  "an unspecified item removed from the table": defect("unspecified-ids-known", remove("/x-unspecified/12")),
  "a mark with an unknown unspecified item": defect(
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
    "absent-paths-exist",
    add("/x-unspecified/1/absent", "/components/schemas/NoSuchSchema/enum"),
  ),
};
