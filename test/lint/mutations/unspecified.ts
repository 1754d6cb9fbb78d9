import {
  add,
  at,
  change,
  field,
  header,
  inRow,
  parameter,
  put,
  remove,
  schema,
} from "../../document-edits.ts";
import type { Defects } from "../mutate/defects.ts";

export const unspecified: Defects = {
  "extensible-enums-not-closed": {
    "error types as a closed set": put(`${schema("ErrorType")}/enum`, ["unauthorized"]),
    "event types as a closed set": put(`${schema("EventType")}/enum`, ["sent", "bounced"]),
    "event types that are not listed": remove(`${schema("EventType")}/x-extensible-enum`),
  },
  "responses-allow-more-properties": {
    "a response that rejects more properties": put(`${schema("Message")}/additionalProperties`, false),
    "an entry of a response that rejects more properties": put(
      `${schema("MessageEvent")}/additionalProperties`,
      false,
    ),
  },
  "requests-allow-more-properties": {
    "a request that rejects unknown properties": put(`${schema("Consent")}/unevaluatedProperties`, false),
  },
  "unspecified-stays-absent": {
    "reply_to as a list": change(schema("ReplyTo"), {
      description: "Where replies go.",
      type: "array",
      maxItems: 10,
      "x-technical-limit": true,
      items: { $ref: "#/components/schemas/EmailAddress" },
    }),
    "classes of a bounce": put(`${field("Bounce", "type")}/enum`, ["hard", "soft"]),
    "fields about the key": put(`${schema("Account")}/properties`, {
      abilities: { description: "What it may do.", type: "boolean" },
    }),
    "fields of a changed time": put(`${schema("RescheduleResponse")}/properties`, {
      id: { $ref: "#/components/schemas/MessageId" },
    }),
    "the recipients of a scheduled send": put(`${schema("SendResponse")}/then/properties/to`, {
      $ref: "#/components/schemas/EmailAddresses",
    }),
    "the number of the monthly allowance": put(`${header("MonthlyQuota")}/schema`, { const: 50000 }),
    webhooks: put("/webhooks", {}),
    "a response to a body that is not JSON": put(`${at.sendEmail}/responses/415`, {
      $ref: "#/components/responses/SendInvalid",
    }),
    "the size of a page without a limit": put(`${parameter("PageLimit")}/schema/default`, 50),
    "at least one recipient": put(`${schema("EmailAddresses")}/minItems`, 1),
  },
  "unspecified-ids-known": {
    "an unspecified item removed from the table": remove("/x-unspecified/12"),
    "a mark with an unknown unspecified item": put(`${at.getMe}/x-leaves-unspecified`, ["OPEN-999"]),
  },
  "requirement-ids-known": {
    "a requirement that does not exist": add(`${at.sendEmail}/x-encodes`, "SEND-999"),
    "a requirement dropped from the list": inRow("/x-requirements/sending", "id", "SEND-1", remove),
  },
  "row-ids-unique": {
    "a requirement with the id of another": add("/x-requirements/account", {
      id: "ME-1",
      text: "A key learns its name.",
      kind: "shape",
      operations: ["getMe"],
    }),
  },
  "absent-paths-exist": {
    "a guard that looks at a place which is not there": add(
      "/x-unspecified/1/absent",
      "/components/schemas/NoSuchSchema/enum",
    ),
  },
};
