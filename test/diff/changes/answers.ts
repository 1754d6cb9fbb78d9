import { allowed, breaking, drop, editorial, follows, operation, schema } from "./change.ts";

const { added, kept, type, clients } = follows;

/** Changes of what the service answers. */
export const answerChanges = [
  allowed(added, "an optional answer field is added", (bundle) => {
    schema(bundle, "Message").properties.opened_at = { $ref: "#/components/schemas/TimestampOrNull" };
  }),
  allowed(added, "an answer field that is always there is added", (bundle) => {
    schema(bundle, "NewsletterList").properties.color = { type: "string" };
    schema(bundle, "NewsletterList").required.push("color");
  }),
  allowed(added, "an answer of unspecified fields gets one", (bundle) => {
    schema(bundle, "Account").properties = { name: { type: "string" } };
  }),
  allowed(added, "an error carries one field more", (bundle) => {
    schema(bundle, "Error").properties.error.properties.help = { type: "string" };
  }),
  breaking(kept, "an answer field is removed", (bundle) => {
    delete schema(bundle, "Message").properties.sent_at;
    drop(schema(bundle, "Message").required, "sent_at");
  }),
  breaking(kept, "an optional answer field is removed", (bundle) => {
    delete schema(bundle, "Error").properties.error.properties.fields;
  }),
  breaking(kept, "the request id is removed from errors", (bundle) => {
    const { error } = schema(bundle, "Error").properties;
    delete error.properties.request_id;
    drop(error.required, "request_id");
  }),
  breaking(kept, "a field of a page is removed", (bundle) => {
    delete schema(bundle, "Page").properties.next_cursor;
  }),
  breaking(kept, "an answer field is renamed", (bundle) => {
    const membership = schema(bundle, "Membership");
    membership.properties.joined_at = membership.properties.subscribed_at;
    delete membership.properties.subscribed_at;
    membership.required[membership.required.indexOf("subscribed_at")] = "joined_at";
  }),
  breaking(kept, "an answer field may be missing", (bundle) => {
    drop(schema(bundle, "Contact").required, "marketing_blocked");
  }),
  allowed(clients, "an optional answer field is always there", (bundle) => {
    schema(bundle, "Page").required.push("next_cursor");
  }),
  breaking(type, "the type of an answer field changes", (bundle) => {
    schema(bundle, "Bounce").properties.permanent.type = "string";
  }),
  breaking(type, "an answer field may be null", (bundle) => {
    schema(bundle, "NewsletterList").properties.name.type = ["string", "null"];
  }),
  allowed(type, "an answer field is never null any more", (bundle) => {
    schema(bundle, "CustomField").properties.fallback.type = "string";
  }),
  breaking(type, "a moment is answered as a number", (bundle) => {
    const moment = schema(bundle, "Timestamp");
    moment.type = "integer";
    delete moment.format;
    delete moment.pattern;
  }),
  breaking(type, "the entries of an answered list change their type", (bundle) => {
    schema(bundle, "Membership").properties.tags.items = { type: "object" };
  }),
  breaking(type, "a bounce is never null and never told", (bundle) => {
    schema(bundle, "Message").properties.bounce = { type: "string" };
  }),
  allowed(type, "a bounce is never null", (bundle) => {
    schema(bundle, "BounceOrNull").anyOf.pop();
  }),
  breaking(type, "the entries of an error's fields are single sentences", (bundle) => {
    schema(bundle, "ErrorFields").additionalProperties = { type: "string" };
  }),
  breaking(clients, "a status of messages is added to the closed set", (bundle) => {
    schema(bundle, "MessageStatus").enum.push("opened");
  }),
  breaking(clients, "a status of messages is removed", (bundle) => {
    drop(schema(bundle, "MessageStatus").enum, "delayed");
  }),
  breaking(clients, "a status of memberships is renamed", (bundle) => {
    const { enum: values } = schema(bundle, "MembershipStatus");
    values[values.indexOf("cleaned")] = "rested";
  }),
  breaking(clients, "a type of custom fields is added to the closed set", (bundle) => {
    schema(bundle, "FieldType").enum.push("boolean");
  }),
  breaking(clients, "the closed set of field types is opened", (bundle) => {
    delete schema(bundle, "FieldType").enum;
  }),
  allowed(clients, "a free answer field has a closed set now", (bundle) => {
    schema(bundle, "Bounce").properties.type.enum = ["hard", "soft"];
  }),
  breaking(clients, "what cancelling answers is another value", (bundle) => {
    schema(bundle, "CancelResponse").properties.status.const = "cancelled";
  }),
  breaking(clients, "what cancelling answers is not fixed any more", (bundle) => {
    delete schema(bundle, "CancelResponse").properties.status.const;
  }),
  allowed(added, "an error type is added", (bundle) => {
    schema(bundle, "ErrorType")["x-extensible-enum"].push("account_paused");
  }),
  breaking(clients, "an error type is removed", (bundle) => {
    drop(schema(bundle, "ErrorType")["x-extensible-enum"], "no_plan");
  }),
  allowed(added, "an event type is added", (bundle) => {
    schema(bundle, "EventType")["x-extensible-enum"].push("opened");
  }),
  breaking(clients, "an event type is removed", (bundle) => {
    drop(schema(bundle, "EventType")["x-extensible-enum"], "bounced");
  }),
  breaking(clients, "an event type is renamed", (bundle) => {
    schema(bundle, "EventType")["x-extensible-enum"] = ["sent", "returned"];
  }),
  breaking(clients, "the pattern of an answer is removed", (bundle) => {
    delete schema(bundle, "ScheduledMessageId").pattern;
  }),
  breaking(clients, "ids of scheduled messages begin in another way", (bundle) => {
    schema(bundle, "ScheduledMessageId")["x-prefix"] = "later_";
  }),
  breaking(clients, "the pattern of an answer changes", (bundle) => {
    schema(bundle, "TimestampOrNull").pattern = "Z$";
  }),
  breaking(clients, "the format of an answer is removed", (bundle) => {
    delete schema(bundle, "Timestamp").format;
  }),
  allowed(clients, "an answer gets a format", (bundle) => {
    schema(bundle, "NewsletterList").properties.name.format = "idn-hostname";
  }),
  breaking(added, "answers are closed", (bundle) => {
    schema(bundle, "Membership").additionalProperties = false;
  }),
  breaking(clients, "an answer has a form that no client knows", (bundle) => {
    schema(bundle, "SendResponse").anyOf.push({
      title: "Held message",
      type: "object",
      properties: { held: { type: "boolean" } },
    });
  }),
  breaking(kept, "a form of an answer is removed", (bundle) => {
    schema(bundle, "SendResponse").anyOf.pop();
  }),
  allowed(clients, "an answer is of exactly one form", (bundle) => {
    const answer = schema(bundle, "SendResponse");
    answer.oneOf = answer.anyOf;
    delete answer.anyOf;
  }),
  breaking(kept, "an answer field is hidden", (bundle) => {
    schema(bundle, "Message").properties.subject.writeOnly = true;
  }),
  breaking(clients, "an answer has no body any more", (bundle) => {
    delete operation(bundle, "getContact").responses["2XX"].content;
  }),
  allowed(clients, "an answer comes as another media type for who asks", (bundle) => {
    const { content } = operation(bundle, "getContact").responses["2XX"];
    content["text/csv"] = { schema: { type: "string" } };
  }),
  breaking(kept, "an error may come without a body", (bundle) => {
    bundle.components.responses.BadGateway["x-empty-body"] = true;
  }),
  allowed(clients, "an error always comes with its body", (bundle) => {
    delete bundle.components.responses.InternalServerError["x-empty-body"];
  }),
  editorial("a part of the document is put in place of its reference", (bundle) => {
    schema(bundle, "Contact").properties.lists.items = structuredClone(schema(bundle, "Membership"));
  }),
];
