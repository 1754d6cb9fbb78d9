import { additive, breaking, drop, editorial, follows, operation, schema } from "./change.ts";

const { added, kept, type, optional, clients } = follows;

/** Changes of requests: properties, types, values. */
export const requestChanges = [
  additive(added, "an optional request property is added", (bundle) => {
    schema(bundle, "ContactRequest").properties.phone = { type: "string", maxLength: 40 };
  }),
  additive(added, "an optional property is added to one variant of a send", (bundle) => {
    schema(bundle, "TemplateSend").properties.locale = { type: "string", maxLength: 20 };
  }),
  additive(added, "an optional property is added to a nested request object", (bundle) => {
    schema(bundle, "Consent").properties.at = { type: "string", format: "date-time" };
  }),
  breaking(optional, "a required request property is added", (bundle) => {
    schema(bundle, "ContactRequest").properties.phone = { type: "string" };
    schema(bundle, "ContactRequest").required.push("phone");
  }),
  breaking(optional, "an optional request property becomes required", (bundle) => {
    schema(bundle, "ContactRequest").required.push("first_name");
  }),
  breaking(optional, "an optional property of a single send becomes required", (bundle) => {
    schema(bundle, "ContentSend").required.push("reply_to");
  }),
  breaking(optional, "an object without required properties gets one", (bundle) => {
    schema(bundle, "UnsubscribeRequest").required = ["reason"];
  }),
  breaking(optional, "variables become required with a template", (bundle) => {
    schema(bundle, "TemplateSend").required.push("variables");
  }),
  additive(clients, "a required request property becomes optional", (bundle) => {
    drop(schema(bundle, "ContactRequest").required, "list_id");
  }),
  breaking(kept, "an optional request property is removed", (bundle) => {
    delete schema(bundle, "ContactRequest").properties.last_name;
  }),
  breaking(kept, "a required request property is removed", (bundle) => {
    delete schema(bundle, "ContactRequest").properties.email;
    drop(schema(bundle, "ContactRequest").required, "email");
  }),
  breaking(kept, "a property of a nested request object is removed", (bundle) => {
    delete schema(bundle, "Consent").properties.ip;
  }),
  breaking(kept, "an optional request property is renamed", (bundle) => {
    const { properties } = schema(bundle, "UnsubscribeRequest");
    properties.why = properties.reason;
    delete properties.reason;
  }),
  breaking(kept, "a required request property is renamed", (bundle) => {
    const request = schema(bundle, "RescheduleRequest");
    request.properties = { send_at: request.properties.scheduled_at };
    request.required = ["send_at"];
  }),
  breaking(type, "the type of a request property changes", (bundle) => {
    schema(bundle, "UnsubscribeRequest").properties.reason.type = "integer";
  }),
  breaking(type, "the id of a list becomes a string", (bundle) => {
    schema(bundle, "ListId").type = "string";
  }),
  breaking(type, "an integer in a request becomes any number", (bundle) => {
    schema(bundle, "PageSize").type = "number";
  }),
  breaking(type, "an array in a request becomes a string", (bundle) => {
    bundle.components.schemas.ContactTags = { type: "string", maxLength: 60 };
  }),
  breaking(type, "the type beside a $ref changes", (bundle) => {
    schema(bundle, "ContactRequest").properties.first_name.type = "object";
  }),
  breaking(type, "a request property refers to a schema of another type", (bundle) => {
    schema(bundle, "ContactRequest").properties.tags = { $ref: "#/components/schemas/PersonName" };
  }),
  additive(type, "a request property accepts null as well", (bundle) => {
    schema(bundle, "Consent").properties.detail.type = ["string", "null"];
  }),
  additive(clients, "a custom field accepts booleans in requests only", (bundle) => {
    const values = bundle.components.schemas.FieldValues;
    values.additionalProperties = {
      oneOf: [...schema(bundle, "FieldValue").oneOf, { type: "boolean" }],
    };
  }),
  breaking(type, "a custom field can no longer be cleared with null", (bundle) => {
    schema(bundle, "FieldValues").additionalProperties = {
      oneOf: schema(bundle, "FieldValue").oneOf.slice(0, 2),
    };
  }),
  breaking(clients, "a free request property gets an enum", (bundle) => {
    schema(bundle, "UnsubscribeRequest").properties.reason.enum = ["spam", "other"];
  }),
  breaking(clients, "a request property becomes a constant", (bundle) => {
    schema(bundle, "Consent").properties.user_agent.const = "web";
  }),
  breaking(clients, "a request pattern is added", (bundle) => {
    schema(bundle, "PersonName").pattern = "^[A-Za-z ]+$";
  }),
  breaking(clients, "a request pattern is changed", (bundle) => {
    schema(bundle, "MessageTagName").pattern = "^[a-z]+$";
  }),
  additive(clients, "a request pattern is removed", (bundle) => {
    delete schema(bundle, "ExtraHeaderName").pattern;
  }),
  breaking(clients, "a request format is added", (bundle) => {
    schema(bundle, "Consent").properties.ip.format = "ipv4";
  }),
  breaking(clients, "a request format is changed", (bundle) => {
    schema(bundle, "SendTime").format = "date";
  }),
  additive(clients, "a request format is removed", (bundle) => {
    delete schema(bundle, "ReplyTo").format;
  }),
  breaking(clients, "the default of a request property changes", (bundle) => {
    schema(bundle, "AttachmentContentType").default = "text/plain";
  }),
  breaking(clients, "the default of a request property is removed", (bundle) => {
    delete schema(bundle, "AttachmentContentType").default;
  }),
  additive(clients, "the default of a request property is added", (bundle) => {
    schema(bundle, "PageSize").default = 50;
  }),
  breaking(clients, "unknown request properties are rejected", (bundle) => {
    schema(bundle, "ContactRequest").additionalProperties = false;
  }),
  editorial("additionalProperties: true is written out", (bundle) => {
    schema(bundle, "ContactRequest").additionalProperties = true;
  }),
  breaking(kept, "a variant of a send is removed", (bundle) => {
    schema(bundle, "SendRequest").oneOf.pop();
  }),
  additive(clients, "a variant of a send is added", (bundle) => {
    bundle.components.schemas.RawSend = {
      title: "Raw message",
      type: "object",
      required: ["raw"],
      properties: { raw: { type: "string" } },
    };
    schema(bundle, "SendRequest").oneOf.push({ $ref: "#/components/schemas/RawSend" });
  }),
  breaking(clients, "a send with both html and text is rejected", (bundle) => {
    const request = schema(bundle, "ContentSend");
    request.not = { anyOf: [request.not, { required: ["html", "text"] }] };
  }),
  breaking(clients, "a template excludes another property", (bundle) => {
    schema(bundle, "TemplateSend").not.anyOf.push({ required: ["tags"] });
  }),
  additive(clients, "a template excludes one property fewer", (bundle) => {
    schema(bundle, "TemplateSend").not.anyOf.pop();
  }),
  additive(clients, "a linked attachment may have content as well", (bundle) => {
    delete schema(bundle, "LinkAttachment").not;
  }),
  breaking(clients, "a send without html requires another property", (bundle) => {
    schema(bundle, "ContentSend").then.required.push("reply_to");
  }),
  additive(clients, "a send without html requires no text", (bundle) => {
    schema(bundle, "ContentSend").then.required = [];
  }),
  breaking(clients, "a send with html requires text as well", (bundle) => {
    schema(bundle, "ContentSend").else = { required: ["text"] };
  }),
  breaking(clients, "a condition changes", (bundle) => {
    schema(bundle, "ContentSend").if = { not: { required: ["html", "cc"] } };
  }),
  additive(clients, "a condition and its consequence are removed", (bundle) => {
    delete schema(bundle, "BatchContentMessage").if;
    delete schema(bundle, "BatchContentMessage").then;
  }),
  breaking(clients, "names of variables get a pattern", (bundle) => {
    schema(bundle, "TemplateVariables").propertyNames = { pattern: "^[a-z]+$" };
  }),
  additive(clients, "names of extra headers lose their pattern", (bundle) => {
    const values = schema(bundle, "ExtraHeaders");
    delete values.propertyNames;
  }),
  breaking(clients, "one request property requires another", (bundle) => {
    schema(bundle, "ContactRequest").dependentRequired = { last_name: ["first_name"] };
  }),
  breaking(clients, "the tags of a contact must be unique", (bundle) => {
    schema(bundle, "ContactTags").uniqueItems = true;
  }),
  breaking(clients, "the values of variables must be strings", (bundle) => {
    schema(bundle, "TemplateVariables").additionalProperties = { type: "string" };
  }),
  additive(clients, "a body is accepted as another media type", (bundle) => {
    const { content } = operation(bundle, "upsertContact").requestBody;
    content["application/merge-patch+json"] = content["application/json"];
  }),
];
