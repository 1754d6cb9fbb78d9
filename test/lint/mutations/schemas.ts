import {
  add,
  at,
  change,
  type Defects,
  defect,
  field,
  header,
  json,
  parameter,
  put,
  remove,
  rename,
  schema,
  take,
} from "../mutate/edit.ts";

export const schemas: Defects = {
  "a field renamed": defect("release", rename(field("Message", "status_description"), "status_text")),
  "a field renamed with its mark": defect(
    "oas3-valid-media-example",
    rename(field("Contact", "marketing_blocked"), "blocked"),
    take(`${schema("Contact")}/required`, "marketing_blocked"),
    add(`${schema("Contact")}/required`, "blocked"),
  ),
  "an optional field renamed": defect("release", rename(field("Consent", "user_agent"), "browser")),
  "a field removed": defect("required-properties-declared", remove(field("Membership", "unsubscribed_at"))),
  "an optional field removed": defect("release", remove(field("ContentSend", "reply_to"))),
  "a field that the service does not have": defect(
    "release",
    put(field("TemplateSend", "pinned"), { description: "Whether it stays on top.", type: "boolean" }),
  ),
  "a required field that may be missing": defect(
    "release",
    take(`${schema("ContentSend")}/required`, "subject"),
  ),
  "an optional field that must be given": defect(
    "release",
    add(`${schema("ContactRequest")}/required`, "consent"),
  ),
  "a field of a response that may be missing": defect(
    "release",
    take(`${schema("SendResponse")}/required`, "suppressed"),
  ),
  "a field of another type": defect(
    "oas3-valid-media-example",
    change(`${field("NewsletterList", "double_opt_in")}/type`, "string"),
  ),
  "a number for a text": defect(
    "oas3-valid-media-example",
    change(schema("MessageTagValue"), {
      description: "A value.",
      type: "integer",
      format: "int32",
      minimum: 0,
      maximum: 9,
      "x-technical-limit": true,
    }),
  ),
  "a field that may no longer be null": defect(
    "oas3-valid-media-example",
    change(`${field("CustomField", "fallback")}/type`, "string"),
  ),
  "a field that may be null": defect(
    "release",
    change(`${field("Bounce", "summary")}/type`, ["string", "null"]),
  ),
  "a state added": defect("lifecycle-tables-consistent", add(`${schema("MessageStatus")}/enum`, "opened")),
  "a state removed": defect(
    "lifecycle-tables-consistent",
    take(`${schema("MessageStatus")}/enum`, "delayed"),
  ),
  "a state of a membership removed": defect(
    "lifecycle-tables-consistent",
    take(`${schema("MembershipStatus")}/enum`, "cleaned"),
  ),
  "a kind of field added": defect("release", add(`${schema("FieldType")}/enum`, "boolean")),
  "a kind of field removed": defect("oas3-valid-media-example", take(`${schema("FieldType")}/enum`, "url")),
  "an event type added": defect(
    "unspecified-stays-absent",
    add(`${schema("EventType")}/x-extensible-enum`, "delivered"),
  ),
  "a canceled message under another status": defect(
    "release",
    change(`${field("CancelResponse", "status")}/const`, "cancelled"),
  ),
  "a moment that is any text": defect("timestamps", remove(`${schema("SendTime")}/format`)),
  "a moment of a request without an offset": defect(
    "timestamps",
    remove(`${schema("SendTime")}/x-utc-offset`),
  ),
  "a moment of a response with any offset": defect(
    "timestamps",
    change(`${schema("Timestamp")}/x-utc-offset`, "any"),
  ),
  "a string without an end": defect("strings-bounded", remove(`${schema("HtmlBody")}/maxLength`)),
  "a list without an end": defect("arrays-bounded", remove(`${schema("SuppressedRecipients")}/maxItems`)),
  "a list of anything": defect("arrays-bounded", remove(`${schema("ContactTags")}/items`)),
  "a map without an end": defect("maps-bounded", remove(`${schema("TemplateVariables")}/maxProperties`)),
  "an integer without an end": defect("owasp:api4:2023-integer-limit", remove(`${schema("Count")}/maximum`)),
  "a property without a description": defect(
    "properties-described",
    remove(`${field("Bounce", "what_to_do")}/description`),
  ),
  "a schema without a description": defect(
    "properties-described",
    remove(`${schema("Account")}/description`),
  ),
  "a field in camelCase": defect(
    "snake-case-properties",
    rename(field("ContactRequest", "first_name"), "firstName"),
  ),
  "fields beside variants": defect(
    "no-root-properties-beside-variants",
    put(`${schema("SendRequest")}/properties`, { from: { $ref: "#/components/schemas/SenderEmailAddress" } }),
  ),
  "a field forbidden by false": defect(
    "no-boolean-subschemas",
    put(field("ContentSend", "template_id"), false),
  ),
  "a shape of ids": defect("ids-opaque", put(`${schema("MessageId")}/pattern`, "^[0-9A-Z_a-z]+$")),
  "another prefix of scheduled ids": defect(
    "ids-opaque",
    change(`${schema("ScheduledMessageId")}/pattern`, "^msg_.*$"),
  ),
  "scheduled ids whose prefix is not named": defect(
    "ids-opaque",
    remove(`${schema("ScheduledMessageId")}/x-prefix`),
  ),
  "a format of request ids": defect("ids-opaque", put(`${schema("RequestId")}/format`, "uuid")),
  "scheduled ids without their prefix": defect("release", remove(`${schema("ScheduledMessageId")}/pattern`)),
  "a pattern that does not compile": defect(
    "patterns-portable",
    change(`${schema("MessageTagName")}/pattern`, "^[\\w-.:]+$"),
  ),
  "a pattern that takes more": defect(
    "release",
    change(`${schema("MessageTagName")}/pattern`, "^[A-Za-z0-9_:. -]+$"),
  ),
  "line breaks in an extra header": defect("release", remove(`${schema("ExtraHeaderValue")}/not`)),
  "a sender with a display name": defect("release", remove(`${schema("SenderEmailAddress")}/pattern`)),
  "extra headers of any name": defect("release", remove(`${schema("ExtraHeaders")}/propertyNames`)),
  "links by plain http": defect(
    "release",
    change(`${field("LinkAttachment", "path")}/pattern`, "^https?://.*$"),
  ),
  "a keyword that mocks ignore": defect(
    "keywords-supported-by-mocks",
    put(`${schema("ContactRequest")}/dependentRequired`, { last_name: ["first_name"] }),
  ),
  "a dialect that switches validation off": defect(
    "keywords-supported-by-mocks",
    put("/jsonSchemaDialect", "https://spec.openapis.org/oas/3.1/dialect/base"),
  ),
  "a content send without any body": defect("release", remove(`${schema("ContentSend")}/then`)),
  "a template send with a subject": defect("release", remove(`${schema("TemplateSend")}/not/anyOf/0`)),
  "a batch message with attachments": defect(
    "release",
    remove(`${schema("BatchContentMessage")}/not/anyOf/1`),
  ),
  "an attachment with neither bytes nor a link": defect(
    "release",
    take(`${schema("ContentAttachment")}/required`, "content"),
  ),
  "response variants that nothing decides": defect(
    "response-variants-decided",
    remove(`${schema("SendResponse")}/x-variant-by-request`),
  ),
  "response variants decided the other way round": defect(
    "release",
    rename(`${schema("SendResponse")}/then`, "otherwise"),
    rename(`${schema("SendResponse")}/else`, "then"),
    rename(`${schema("SendResponse")}/otherwise`, "else"),
  ),
  "a variant removed": defect("oas3-valid-media-example", remove(`${schema("SendRequest")}/oneOf/1`)),
  "variants that may both hold": defect("release", rename(`${schema("Attachment")}/oneOf`, "anyOf")),
  "a response of another shape": defect(
    "oas3-valid-media-example",
    change(`${json(`${at.getContact}/responses/2XX`)}/schema`, { $ref: "#/components/schemas/Membership" }),
  ),
  "a component that nothing refers to": defect(
    "components-used",
    put(schema("Template"), { description: "A template.", type: "object" }),
  ),
  "another default media type of attachments": defect(
    "release",
    change(`${schema("AttachmentContentType")}/default`, "text/plain"),
  ),
  "a replay that is a boolean": defect(
    "release",
    change(`${header("IdempotentReplayed")}/schema`, { type: "boolean" }),
  ),
  "a reference to nothing": defect(
    "invalid-ref",
    change(`${parameter("MessageIdParameter")}/schema/$ref`, "#/components/schemas/MailId"),
  ),
  "a length of a moment": defect("date-times-plain", put(`${schema("SendTime")}/maxLength`, 64)),
  "a pattern that is not anchored": defect(
    "patterns-portable",
    change(`${schema("MessageTagName")}/pattern`, "^[A-Za-z0-9_:.-]*"),
  ),
  "a list of two types": defect(
    "single-types",
    change(`${field("Bounce", "subtype")}/type`, ["string", "integer"]),
  ),
  "a number without a format": defect("number-formats", remove(`${schema("FieldValue")}/oneOf/1/format`)),
  "an object without a name": defect(
    "nested-objects-named",
    put(field("ErrorResponse", "error"), { description: "The error.", type: "object" }),
  ),
  "two components of one name": defect(
    "component-names-unique",
    rename(parameter("MessageIdParameter"), "MessageId"),
  ),
  "a title of another name": defect(
    "titles-match-names",
    change(`${schema("Page")}/title`, "Page of results"),
  ),
  "variants of a response": defect(
    "variants-in-requests-only",
    change(`${schema("BounceOrNull")}/anyOf/1`, { $ref: "#/components/schemas/Contact" }),
  ),
  "two enums with one name for a value": defect(
    "enum-names-distinct",
    remove(`${schema("MembershipStatus")}/x-enum-varnames`),
  ),
  "a response that does not allow more properties": defect(
    "responses-allow-more-properties",
    remove(`${schema("Bounce")}/additionalProperties`),
  ),
};
