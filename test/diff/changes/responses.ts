import {
  add,
  at,
  copy,
  field,
  inTurn,
  put,
  remove,
  removeLast,
  rename,
  response,
  schema,
  take,
} from "../../document-edits.ts";
import { additive, breaking, editorial, follows } from "./change.ts";

const { added, kept, type, clients } = follows;

/** Changes of responses. */
export const responseChanges = [
  ...additive(added, {
    "an optional response property is added": put(field("Message", "opened_at"), {
      $ref: "#/components/schemas/TimestampOrNull",
    }),
    "a required response property is added": inTurn(
      put(field("NewsletterList", "color"), { type: "string" }),
      add(`${schema("NewsletterList")}/required`, "color"),
    ),
    "a response with unspecified properties gets one": put(`${schema("Account")}/properties`, {
      name: { type: "string" },
    }),
    "an error response gets another property": put(field("ErrorDetail", "help"), { type: "string" }),
    "an error type is added": add(`${schema("ErrorType")}/x-extensible-enum`, "account_paused"),
    "an event type is added": add(`${schema("EventType")}/x-extensible-enum`, "opened"),
  }),
  ...breaking(kept, {
    "a response property is removed": inTurn(
      remove(field("Message", "sent_at")),
      take(`${schema("Message")}/required`, "sent_at"),
    ),
    "an optional response property is removed": remove(field("ErrorDetail", "fields")),
    "the request id is removed from errors": inTurn(
      remove(field("ErrorDetail", "request_id")),
      take(`${schema("ErrorDetail")}/required`, "request_id"),
    ),
    "a property of a page is removed": remove(field("Page", "next_cursor")),
    "a response property is renamed": inTurn(
      rename(field("Membership", "subscribed_at"), "joined_at"),
      take(`${schema("Membership")}/required`, "subscribed_at"),
      add(`${schema("Membership")}/required`, "joined_at"),
    ),
    "a required response property becomes optional": take(
      `${schema("Contact")}/required`,
      "marketing_blocked",
    ),
    "a variant of a response is removed": remove(`${schema("BounceOrNull")}/anyOf/0`),
    "a response property becomes write-only": put(`${field("Message", "subject")}/writeOnly`, true),
    "an error response may have no body": put(`${response("BadGateway")}/x-empty-body`, true),
  }),
  ...additive(clients, {
    "an optional response property becomes required": add(`${schema("Page")}/required`, "next_cursor"),
    "a free response property gets an enum": put(`${field("Bounce", "type")}/enum`, ["hard", "soft"]),
    "a response format is added": put(`${field("NewsletterList", "name")}/format`, "idn-hostname"),
    "anyOf becomes oneOf in a response": rename(`${schema("BounceOrNull")}/anyOf`, "oneOf"),
    "a media type is added to a response": put(`${at.getContact}/responses/2XX/content/text~1csv`, {
      schema: { type: "string" },
    }),
    "an error response always has a body": remove(`${response("InternalServerError")}/x-empty-body`),
  }),
  ...breaking(type, {
    "the type of a response property changes": put(`${field("Bounce", "permanent")}/type`, "string"),
    "a response property may be null": put(`${field("NewsletterList", "name")}/type`, ["string", "null"]),
    "a timestamp becomes a number": inTurn(
      put(`${schema("Timestamp")}/type`, "integer"),
      remove(`${schema("Timestamp")}/format`),
      remove(`${schema("Timestamp")}/x-utc-offset`),
    ),
    "the items of an array in a response change their type": put(`${field("Membership", "tags")}/items`, {
      type: "object",
    }),
    "a bounce becomes a string": put(field("Message", "bounce"), { type: "string" }),
    "the messages of error.fields become single strings": put(
      `${schema("ErrorFields")}/additionalProperties`,
      { type: "string" },
    ),
  }),
  ...additive(type, {
    "a response property is never null any more": put(`${field("CustomField", "fallback")}/type`, "string"),
    "a bounce is never null": removeLast(`${schema("BounceOrNull")}/anyOf`),
  }),
  ...breaking(clients, {
    "a message status is added to the closed enum": add(`${schema("MessageStatus")}/enum`, "opened"),
    "a message status is removed": take(`${schema("MessageStatus")}/enum`, "delayed"),
    "a membership status is renamed": inTurn(
      take(`${schema("MembershipStatus")}/enum`, "cleaned"),
      add(`${schema("MembershipStatus")}/enum`, "rested"),
    ),
    "a custom field type is added to the closed enum": add(`${schema("FieldType")}/enum`, "boolean"),
    "the enum of custom field types is removed": remove(`${schema("FieldType")}/enum`),
    "the constant in the cancel response changes": put(
      `${field("CancelResponse", "status")}/const`,
      "cancelled",
    ),
    "the constant in the cancel response is removed": remove(`${field("CancelResponse", "status")}/const`),
    "an error type is removed": take(`${schema("ErrorType")}/x-extensible-enum`, "no_plan"),
    "an event type is removed": take(`${schema("EventType")}/x-extensible-enum`, "bounced"),
    "an event type is renamed": put(`${schema("EventType")}/x-extensible-enum`, ["sent", "returned"]),
    "a response pattern is removed": remove(`${schema("ScheduledMessageId")}/pattern`),
    "the prefix of scheduled message ids changes": put(`${schema("ScheduledMessageId")}/x-prefix`, "later_"),
    "a response pattern changes": put(`${schema("ContactEmailAddress")}/pattern`, "^[a-z@.]*$"),
    "times in responses are no longer in UTC": put(`${schema("Timestamp")}/x-utc-offset`, "any"),
    "a response format is removed": remove(`${schema("Timestamp")}/format`),
    "a variant is added to a response": add(`${schema("BounceOrNull")}/anyOf`, {
      title: "Held message",
      type: "object",
      properties: { held: { type: "boolean" } },
    }),
    "the body of a response is removed": remove(`${at.getContact}/responses/2XX/content`),
  }),
  ...breaking(added, {
    "unknown response properties are forbidden": put(`${schema("Membership")}/additionalProperties`, false),
  }),
  ...editorial({
    "a $ref is replaced by a copy of its component": copy(
      schema("Membership"),
      `${field("Contact", "lists")}/items`,
    ),
  }),
];
