import {
  add,
  at,
  change,
  field,
  header,
  inTurn,
  json,
  parameter,
  put,
  remove,
  rename,
  schema,
  take,
} from "../../document-edits.ts";
import type { Defects } from "../mutate/defects.ts";

export const schemas: Defects = {
  release: {
    "a field renamed": rename(field("Message", "status_description"), "status_text"),
    "an optional field renamed": rename(field("Consent", "user_agent"), "browser"),
    "an optional field removed": remove(field("ContentSend", "reply_to")),
    "a field that the service does not have": put(field("TemplateSend", "pinned"), {
      description: "Whether it stays on top.",
      type: "boolean",
    }),
    "a required field that may be missing": take(`${schema("ContentSend")}/required`, "subject"),
    "an optional field that must be given": add(`${schema("ContactRequest")}/required`, "consent"),
    "a field of a response that may be missing": take(`${schema("SendResponse")}/required`, "suppressed"),
    "a field that may be null": change(`${field("Bounce", "summary")}/type`, ["string", "null"]),
    "a kind of field added": add(`${schema("FieldType")}/enum`, "boolean"),
    "a canceled message under another status": change(
      `${field("CancelResponse", "status")}/const`,
      "cancelled",
    ),
    "scheduled ids without their prefix": remove(`${schema("ScheduledMessageId")}/pattern`),
    "a pattern that takes more": change(`${schema("MessageTagName")}/pattern`, "^[A-Za-z0-9_:. -]+$"),
    "line breaks in an extra header": remove(`${schema("ExtraHeaderValue")}/not`),
    "a sender with a display name": remove(`${schema("SenderEmailAddress")}/pattern`),
    "extra headers of any name": remove(`${schema("ExtraHeaders")}/propertyNames`),
    "links by plain http": change(`${field("LinkAttachment", "path")}/pattern`, "^https?://.*$"),
    "a content send without any body": remove(`${schema("ContentSend")}/then`),
    "a template send with a subject": remove(`${schema("TemplateSend")}/not/anyOf/0`),
    "a batch message with attachments": remove(`${schema("BatchContentMessage")}/not/anyOf/1`),
    "an attachment with neither bytes nor a link": take(`${schema("ContentAttachment")}/required`, "content"),
    "response variants decided the other way round": inTurn(
      rename(`${schema("SendResponse")}/then`, "otherwise"),
      rename(`${schema("SendResponse")}/else`, "then"),
      rename(`${schema("SendResponse")}/otherwise`, "else"),
    ),
    "variants that may both hold": rename(`${schema("Attachment")}/oneOf`, "anyOf"),
    "another default media type of attachments": change(
      `${schema("AttachmentContentType")}/default`,
      "text/plain",
    ),
    "a replay that is a boolean": change(`${header("IdempotentReplayed")}/schema`, { type: "boolean" }),
  },
  "oas3-valid-media-example": {
    "a field renamed with its mark": inTurn(
      rename(field("Contact", "marketing_blocked"), "blocked"),
      take(`${schema("Contact")}/required`, "marketing_blocked"),
      add(`${schema("Contact")}/required`, "blocked"),
    ),
    "a field of another type": change(`${field("NewsletterList", "double_opt_in")}/type`, "string"),
    "a number for a text": change(schema("MessageTagValue"), {
      description: "A value.",
      type: "integer",
      format: "int32",
      minimum: 0,
      maximum: 9,
      "x-technical-limit": true,
    }),
    "a field that may no longer be null": change(`${field("CustomField", "fallback")}/type`, "string"),
    "a kind of field removed": take(`${schema("FieldType")}/enum`, "url"),
    "a variant removed": remove(`${schema("SendRequest")}/oneOf/1`),
    "a response of another shape": change(`${json(`${at.getContact}/responses/2XX`)}/schema`, {
      $ref: "#/components/schemas/Membership",
    }),
  },
  "required-properties-declared": {
    "a field removed": remove(field("Membership", "unsubscribed_at")),
  },
  "lifecycle-tables-consistent": {
    "a state added": add(`${schema("MessageStatus")}/enum`, "opened"),
    "a state removed": take(`${schema("MessageStatus")}/enum`, "delayed"),
    "a state of a membership removed": take(`${schema("MembershipStatus")}/enum`, "cleaned"),
  },
  "unspecified-stays-absent": {
    "an event type added": add(`${schema("EventType")}/x-extensible-enum`, "delivered"),
  },
  timestamps: {
    "a moment that is any text": remove(`${schema("SendTime")}/format`),
    "a moment of a request without an offset": remove(`${schema("SendTime")}/x-utc-offset`),
    "a moment of a response with any offset": change(`${schema("Timestamp")}/x-utc-offset`, "any"),
  },
  "strings-bounded": {
    "a string without an end": remove(`${schema("HtmlBody")}/maxLength`),
  },
  "owasp:api4:2023-array-limit": {
    "a list without an end": remove(`${schema("SuppressedRecipients")}/maxItems`),
  },
  "array-items": {
    "a list of anything": remove(`${schema("ContactTags")}/items`),
  },
  "maps-bounded": {
    "a map without an end": remove(`${schema("TemplateVariables")}/maxProperties`),
  },
  "owasp:api4:2023-integer-limit": {
    "an integer without an end": remove(`${schema("Count")}/maximum`),
  },
  "properties-described": {
    "a property without a description": remove(`${field("Bounce", "what_to_do")}/description`),
    "a schema without a description": remove(`${schema("Account")}/description`),
  },
  "snake-case-properties": {
    "a field in camelCase": rename(field("ContactRequest", "first_name"), "firstName"),
  },
  "no-root-properties-beside-variants": {
    "fields beside variants": put(`${schema("SendRequest")}/properties`, {
      from: { $ref: "#/components/schemas/SenderEmailAddress" },
    }),
  },
  "no-boolean-subschemas": {
    "a field forbidden by false": put(field("ContentSend", "template_id"), false),
  },
  "ids-opaque": {
    "a shape of ids": put(`${schema("MessageId")}/pattern`, "^[0-9A-Z_a-z]+$"),
    "another prefix of scheduled ids": change(`${schema("ScheduledMessageId")}/pattern`, "^msg_.*$"),
    "scheduled ids whose prefix is not named": remove(`${schema("ScheduledMessageId")}/x-prefix`),
    "a format of request ids": put(`${schema("RequestId")}/format`, "uuid"),
  },
  "patterns-portable": {
    "a pattern that does not compile": change(`${schema("MessageTagName")}/pattern`, "^[\\w-.:]+$"),
    "a pattern that is not anchored": change(`${schema("MessageTagName")}/pattern`, "^[A-Za-z0-9_:.-]*"),
  },
  "keywords-supported-by-mocks": {
    "a keyword that mocks ignore": put(`${schema("ContactRequest")}/dependentRequired`, {
      last_name: ["first_name"],
    }),
    "a dialect that switches validation off": put(
      "/jsonSchemaDialect",
      "https://spec.openapis.org/oas/3.1/dialect/base",
    ),
  },
  "response-variants-decided": {
    "response variants that nothing decides": remove(`${schema("SendResponse")}/x-variant-by-request`),
  },
  "components-used": {
    "a component that nothing refers to": put(schema("Template"), {
      description: "A template.",
      type: "object",
    }),
  },
  "invalid-ref": {
    "a reference to nothing": change(
      `${parameter("MessageIdParameter")}/schema/$ref`,
      "#/components/schemas/MailId",
    ),
  },
  "date-times-plain": {
    "a length of a moment": put(`${schema("SendTime")}/maxLength`, 64),
  },
  "single-types": {
    "a list of two types": change(`${field("Bounce", "subtype")}/type`, ["string", "integer"]),
  },
  "number-formats": {
    "a number without a format": remove(`${schema("FieldValue")}/oneOf/1/format`),
  },
  "nested-objects-named": {
    "an object without a name": put(field("ErrorResponse", "error"), {
      description: "The error.",
      type: "object",
    }),
  },
  "component-names-unique": {
    "two components of one name": rename(parameter("MessageIdParameter"), "MessageId"),
  },
  "titles-match-names": {
    "a title of another name": change(`${schema("Page")}/title`, "Page of results"),
  },
  "variants-in-requests-only": {
    "variants of a response": change(`${schema("BounceOrNull")}/anyOf/1`, {
      $ref: "#/components/schemas/Contact",
    }),
  },
  "enum-names-distinct": {
    "two enums with one name for a value": remove(`${schema("MembershipStatus")}/x-enum-varnames`),
  },
  "responses-allow-more-properties": {
    "a response that does not allow more properties": remove(`${schema("Bounce")}/additionalProperties`),
  },
};
