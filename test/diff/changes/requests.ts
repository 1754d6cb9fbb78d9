import { allowed, breaking, drop, editorial, follows, operation, schema } from "./change.ts";

const { added, kept, type, optional, clients } = follows;

/** Changes of what callers send: fields, types, values. */
export const requestChanges = [
  allowed(added, "an optional request field is added", (bundle) => {
    schema(bundle, "ContactRequest").properties.phone = { type: "string", maxLength: 40 };
  }),
  allowed(added, "an optional field is added to one form of a send", (bundle) => {
    schema(bundle, "TemplateSend").properties.locale = { type: "string", maxLength: 20 };
  }),
  allowed(added, "an optional field is added inside a request object", (bundle) => {
    schema(bundle, "Consent").properties.at = { type: "string", format: "date-time" };
  }),
  breaking(optional, "a required request field is added", (bundle) => {
    schema(bundle, "ContactRequest").properties.phone = { type: "string" };
    schema(bundle, "ContactRequest").required.push("phone");
  }),
  breaking(optional, "an optional request field is made required", (bundle) => {
    schema(bundle, "ContactRequest").required.push("first_name");
  }),
  breaking(optional, "an optional field of a single send is made required", (bundle) => {
    schema(bundle, "ContentSend").required.push("reply_to");
  }),
  breaking(optional, "an object without required fields gets one", (bundle) => {
    schema(bundle, "UnsubscribeRequest").required = ["reason"];
  }),
  breaking(optional, "variables are required with a template", (bundle) => {
    schema(bundle, "TemplateSend").required.push("variables");
  }),
  allowed(clients, "a required request field is made optional", (bundle) => {
    drop(schema(bundle, "ContactRequest").required, "list_id");
  }),
  breaking(kept, "an optional request field is removed", (bundle) => {
    delete schema(bundle, "ContactRequest").properties.last_name;
  }),
  breaking(kept, "a required request field is removed", (bundle) => {
    delete schema(bundle, "ContactRequest").properties.email;
    drop(schema(bundle, "ContactRequest").required, "email");
  }),
  breaking(kept, "a field inside a request object is removed", (bundle) => {
    delete schema(bundle, "Consent").properties.ip;
  }),
  breaking(kept, "a request field is renamed", (bundle) => {
    const { properties } = schema(bundle, "UnsubscribeRequest");
    properties.why = properties.reason;
    delete properties.reason;
  }),
  breaking(kept, "a required request field is renamed", (bundle) => {
    const request = schema(bundle, "RescheduleRequest");
    request.properties = { send_at: request.properties.scheduled_at };
    request.required = ["send_at"];
  }),
  breaking(type, "the type of a request field changes", (bundle) => {
    schema(bundle, "UnsubscribeRequest").properties.reason.type = "integer";
  }),
  breaking(type, "the id of a list becomes a string", (bundle) => {
    schema(bundle, "ListId").type = "string";
  }),
  breaking(type, "an integer in a request becomes any number", (bundle) => {
    schema(bundle, "PageSize").type = "number";
  }),
  breaking(type, "a list in a request becomes one value", (bundle) => {
    bundle.components.schemas.ContactTags = { type: "string", maxLength: 60 };
  }),
  breaking(type, "the type of a field beside a reference changes", (bundle) => {
    schema(bundle, "ContactRequest").properties.first_name.type = "object";
  }),
  breaking(type, "a request field refers to something of another type", (bundle) => {
    schema(bundle, "ContactRequest").properties.tags = { $ref: "#/components/schemas/PersonName" };
  }),
  allowed(type, "a request field takes null too", (bundle) => {
    schema(bundle, "Consent").properties.detail.type = ["string", "null"];
  }),
  allowed(type, "a custom field takes booleans in requests only", (bundle) => {
    const values = bundle.components.schemas.FieldValues;
    values.additionalProperties = {
      ...schema(bundle, "FieldValue"),
      type: ["string", "number", "null", "boolean"],
    };
  }),
  breaking(type, "a custom field cannot be cleared with null any more", (bundle) => {
    schema(bundle, "FieldValues").additionalProperties = {
      type: ["string", "number"],
      maxLength: 65536,
      "x-technical-limit": true,
    };
  }),
  breaking(clients, "a free request field gets a closed set of values", (bundle) => {
    schema(bundle, "UnsubscribeRequest").properties.reason.enum = ["spam", "other"];
  }),
  breaking(clients, "a request field must be one value", (bundle) => {
    schema(bundle, "Consent").properties.user_agent.const = "web";
  }),
  breaking(clients, "a request pattern is added", (bundle) => {
    schema(bundle, "PersonName").pattern = "^[A-Za-z ]+$";
  }),
  breaking(clients, "a request pattern is changed", (bundle) => {
    schema(bundle, "MessageTagName").pattern = "^[a-z]+$";
  }),
  allowed(clients, "a request pattern is removed", (bundle) => {
    delete schema(bundle, "ExtraHeaderName").pattern;
  }),
  breaking(clients, "a request format is added", (bundle) => {
    schema(bundle, "Consent").properties.ip.format = "ipv4";
  }),
  breaking(clients, "a request format is changed", (bundle) => {
    schema(bundle, "SendTime").format = "date";
  }),
  allowed(clients, "a request format is removed", (bundle) => {
    delete schema(bundle, "ReplyTo").format;
  }),
  breaking(clients, "the default of a request field changes", (bundle) => {
    schema(bundle, "AttachmentContentType").default = "text/plain";
  }),
  breaking(clients, "the default of a request field is not told any more", (bundle) => {
    delete schema(bundle, "AttachmentContentType").default;
  }),
  allowed(clients, "the default of a request field is told", (bundle) => {
    schema(bundle, "PageSize").default = 50;
  }),
  breaking(clients, "unknown request fields are refused", (bundle) => {
    schema(bundle, "ContactRequest").additionalProperties = false;
  }),
  editorial("that unknown request fields may be there is written out", (bundle) => {
    schema(bundle, "ContactRequest").additionalProperties = true;
  }),
  breaking(kept, "a form of a send is removed", (bundle) => {
    schema(bundle, "SendRequest").oneOf.pop();
  }),
  allowed(clients, "a form of a send is added", (bundle) => {
    bundle.components.schemas.RawSend = {
      title: "Raw message",
      type: "object",
      required: ["raw"],
      properties: { raw: { type: "string" } },
    };
    schema(bundle, "SendRequest").oneOf.push({ $ref: "#/components/schemas/RawSend" });
  }),
  breaking(clients, "a body in two forms at once is refused", (bundle) => {
    const request = schema(bundle, "ContentSend");
    request.not = { anyOf: [request.not, { required: ["html", "text"] }] };
  }),
  breaking(clients, "one more field excludes a template", (bundle) => {
    schema(bundle, "TemplateSend").not.anyOf.push({ required: ["tags"] });
  }),
  allowed(clients, "one field less excludes a template", (bundle) => {
    schema(bundle, "TemplateSend").not.anyOf.pop();
  }),
  allowed(clients, "a link may have its content beside it", (bundle) => {
    delete schema(bundle, "LinkAttachment").not;
  }),
  breaking(clients, "a send without html needs one field more", (bundle) => {
    schema(bundle, "ContentSend").then.required.push("reply_to");
  }),
  allowed(clients, "a send without html needs no text", (bundle) => {
    schema(bundle, "ContentSend").then.required = [];
  }),
  breaking(clients, "a send with html needs text too", (bundle) => {
    schema(bundle, "ContentSend").else = { required: ["text"] };
  }),
  breaking(clients, "the condition of a rule changes", (bundle) => {
    schema(bundle, "ContentSend").if = { not: { required: ["html", "cc"] } };
  }),
  allowed(clients, "a condition and what follows are removed", (bundle) => {
    delete schema(bundle, "BatchContentMessage").if;
    delete schema(bundle, "BatchContentMessage").then;
  }),
  breaking(clients, "names of variables must follow a rule", (bundle) => {
    schema(bundle, "TemplateVariables").propertyNames = { pattern: "^[a-z]+$" };
  }),
  allowed(clients, "names of labels need follow no rule", (bundle) => {
    const values = schema(bundle, "ExtraHeaders");
    delete values.propertyNames;
  }),
  breaking(clients, "one request field asks for another", (bundle) => {
    schema(bundle, "ContactRequest").dependentRequired = { last_name: ["first_name"] };
  }),
  breaking(clients, "labels of a contact must differ", (bundle) => {
    schema(bundle, "ContactTags").uniqueItems = true;
  }),
  breaking(clients, "the values of variables must be strings", (bundle) => {
    schema(bundle, "TemplateVariables").additionalProperties = { type: "string" };
  }),
  allowed(clients, "a body of JSON may be sent as another media type", (bundle) => {
    const { content } = operation(bundle, "upsertContact").requestBody;
    content["application/merge-patch+json"] = content["application/json"];
  }),
];
