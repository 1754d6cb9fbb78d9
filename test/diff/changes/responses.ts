import { additive, breaking, drop, editorial, follows, operation, schema } from "./change.ts";

const { added, kept, type, clients } = follows;

/** Changes of responses. */
export const responseChanges = [
  additive(added, "an optional response property is added", (bundle) => {
    schema(bundle, "Message").properties.opened_at = { $ref: "#/components/schemas/TimestampOrNull" };
  }),
  additive(added, "a required response property is added", (bundle) => {
    schema(bundle, "NewsletterList").properties.color = { type: "string" };
    schema(bundle, "NewsletterList").required.push("color");
  }),
  additive(added, "a response with unspecified properties gets one", (bundle) => {
    schema(bundle, "Account").properties = { name: { type: "string" } };
  }),
  additive(added, "an error response gets another property", (bundle) => {
    schema(bundle, "ErrorDetail").properties.help = { type: "string" };
  }),
  breaking(kept, "a response property is removed", (bundle) => {
    delete schema(bundle, "Message").properties.sent_at;
    drop(schema(bundle, "Message").required, "sent_at");
  }),
  breaking(kept, "an optional response property is removed", (bundle) => {
    delete schema(bundle, "ErrorDetail").properties.fields;
  }),
  breaking(kept, "the request id is removed from errors", (bundle) => {
    const error = schema(bundle, "ErrorDetail");
    delete error.properties.request_id;
    drop(error.required, "request_id");
  }),
  breaking(kept, "a property of a page is removed", (bundle) => {
    delete schema(bundle, "Page").properties.next_cursor;
  }),
  breaking(kept, "a response property is renamed", (bundle) => {
    const membership = schema(bundle, "Membership");
    membership.properties.joined_at = membership.properties.subscribed_at;
    delete membership.properties.subscribed_at;
    membership.required[membership.required.indexOf("subscribed_at")] = "joined_at";
  }),
  breaking(kept, "a required response property becomes optional", (bundle) => {
    drop(schema(bundle, "Contact").required, "marketing_blocked");
  }),
  additive(clients, "an optional response property becomes required", (bundle) => {
    schema(bundle, "Page").required.push("next_cursor");
  }),
  breaking(type, "the type of a response property changes", (bundle) => {
    schema(bundle, "Bounce").properties.permanent.type = "string";
  }),
  breaking(type, "a response property may be null", (bundle) => {
    schema(bundle, "NewsletterList").properties.name.type = ["string", "null"];
  }),
  additive(type, "a response property is never null any more", (bundle) => {
    schema(bundle, "CustomField").properties.fallback.type = "string";
  }),
  breaking(type, "a timestamp becomes a number", (bundle) => {
    const moment = schema(bundle, "Timestamp");
    moment.type = "integer";
    delete moment.format;
    delete moment["x-utc-offset"];
  }),
  breaking(type, "the items of an array in a response change their type", (bundle) => {
    schema(bundle, "Membership").properties.tags.items = { type: "object" };
  }),
  breaking(type, "a bounce becomes a string", (bundle) => {
    schema(bundle, "Message").properties.bounce = { type: "string" };
  }),
  additive(type, "a bounce is never null", (bundle) => {
    schema(bundle, "BounceOrNull").anyOf.pop();
  }),
  breaking(type, "the messages of error.fields become single strings", (bundle) => {
    schema(bundle, "ErrorFields").additionalProperties = { type: "string" };
  }),
  breaking(clients, "a message status is added to the closed enum", (bundle) => {
    schema(bundle, "MessageStatus").enum.push("opened");
  }),
  breaking(clients, "a message status is removed", (bundle) => {
    drop(schema(bundle, "MessageStatus").enum, "delayed");
  }),
  breaking(clients, "a membership status is renamed", (bundle) => {
    const { enum: values } = schema(bundle, "MembershipStatus");
    values[values.indexOf("cleaned")] = "rested";
  }),
  breaking(clients, "a custom field type is added to the closed enum", (bundle) => {
    schema(bundle, "FieldType").enum.push("boolean");
  }),
  breaking(clients, "the enum of custom field types is removed", (bundle) => {
    delete schema(bundle, "FieldType").enum;
  }),
  additive(clients, "a free response property gets an enum", (bundle) => {
    schema(bundle, "Bounce").properties.type.enum = ["hard", "soft"];
  }),
  breaking(clients, "the constant in the cancel response changes", (bundle) => {
    schema(bundle, "CancelResponse").properties.status.const = "cancelled";
  }),
  breaking(clients, "the constant in the cancel response is removed", (bundle) => {
    delete schema(bundle, "CancelResponse").properties.status.const;
  }),
  additive(added, "an error type is added", (bundle) => {
    schema(bundle, "ErrorType")["x-extensible-enum"].push("account_paused");
  }),
  breaking(clients, "an error type is removed", (bundle) => {
    drop(schema(bundle, "ErrorType")["x-extensible-enum"], "no_plan");
  }),
  additive(added, "an event type is added", (bundle) => {
    schema(bundle, "EventType")["x-extensible-enum"].push("opened");
  }),
  breaking(clients, "an event type is removed", (bundle) => {
    drop(schema(bundle, "EventType")["x-extensible-enum"], "bounced");
  }),
  breaking(clients, "an event type is renamed", (bundle) => {
    schema(bundle, "EventType")["x-extensible-enum"] = ["sent", "returned"];
  }),
  breaking(clients, "a response pattern is removed", (bundle) => {
    delete schema(bundle, "ScheduledMessageId").pattern;
  }),
  breaking(clients, "the prefix of scheduled message ids changes", (bundle) => {
    schema(bundle, "ScheduledMessageId")["x-prefix"] = "later_";
  }),
  breaking(clients, "a response pattern changes", (bundle) => {
    schema(bundle, "ContactEmailAddress").pattern = "^[a-z@.]*$";
  }),
  breaking(clients, "times in responses are no longer in UTC", (bundle) => {
    schema(bundle, "Timestamp")["x-utc-offset"] = "any";
  }),
  breaking(clients, "a response format is removed", (bundle) => {
    delete schema(bundle, "Timestamp").format;
  }),
  additive(clients, "a response format is added", (bundle) => {
    schema(bundle, "NewsletterList").properties.name.format = "idn-hostname";
  }),
  breaking(added, "unknown response properties are forbidden", (bundle) => {
    schema(bundle, "Membership").additionalProperties = false;
  }),
  breaking(clients, "a variant is added to a response", (bundle) => {
    schema(bundle, "BounceOrNull").anyOf.push({
      title: "Held message",
      type: "object",
      properties: { held: { type: "boolean" } },
    });
  }),
  breaking(kept, "a variant of a response is removed", (bundle) => {
    schema(bundle, "BounceOrNull").anyOf.shift();
  }),
  additive(clients, "anyOf becomes oneOf in a response", (bundle) => {
    const response = schema(bundle, "BounceOrNull");
    response.oneOf = response.anyOf;
    delete response.anyOf;
  }),
  breaking(kept, "a response property becomes write-only", (bundle) => {
    schema(bundle, "Message").properties.subject.writeOnly = true;
  }),
  breaking(clients, "the body of a response is removed", (bundle) => {
    delete operation(bundle, "getContact").responses["2XX"].content;
  }),
  additive(clients, "a media type is added to a response", (bundle) => {
    const { content } = operation(bundle, "getContact").responses["2XX"];
    content["text/csv"] = { schema: { type: "string" } };
  }),
  breaking(kept, "an error response may have no body", (bundle) => {
    bundle.components.responses.BadGateway["x-empty-body"] = true;
  }),
  additive(clients, "an error response always has a body", (bundle) => {
    delete bundle.components.responses.InternalServerError["x-empty-body"];
  }),
  editorial("a $ref is replaced by a copy of its component", (bundle) => {
    schema(bundle, "Contact").properties.lists.items = structuredClone(schema(bundle, "Membership"));
  }),
];
