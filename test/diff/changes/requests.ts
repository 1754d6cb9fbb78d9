import {
  add,
  at,
  copy,
  field,
  inTurn,
  json,
  put,
  remove,
  removeLast,
  rename,
  schema,
  take,
} from "../../document-edits.ts";
import { additive, breaking, editorial, follows } from "./change.ts";

const { added, kept, type, optional, clients } = follows;

/** Changes of requests: properties, types, values. */
export const requestChanges = [
  ...additive(added, {
    "an optional request property is added": put(field("ContactRequest", "phone"), {
      type: "string",
      maxLength: 40,
    }),
    "an optional property is added to one variant of a send": put(field("TemplateSend", "locale"), {
      type: "string",
      maxLength: 20,
    }),
    "an optional property is added to a nested request object": put(field("Consent", "at"), {
      type: "string",
      format: "date-time",
    }),
  }),
  ...breaking(optional, {
    "a required request property is added": inTurn(
      put(field("ContactRequest", "phone"), { type: "string" }),
      add(`${schema("ContactRequest")}/required`, "phone"),
    ),
    "an optional request property becomes required": add(
      `${schema("ContactRequest")}/required`,
      "first_name",
    ),
    "an optional property of a single send becomes required": add(
      `${schema("ContentSend")}/required`,
      "reply_to",
    ),
    "an object without required properties gets one": put(`${schema("UnsubscribeRequest")}/required`, [
      "reason",
    ]),
    "variables become required with a template": add(`${schema("TemplateSend")}/required`, "variables"),
  }),
  ...additive(clients, {
    "a required request property becomes optional": take(`${schema("ContactRequest")}/required`, "list_id"),
    "a custom field accepts booleans in requests only": (bundle) => {
      const values = bundle.components.schemas.FieldValues;
      values.additionalProperties = {
        oneOf: [...bundle.components.schemas.FieldValue.oneOf, { type: "boolean" }],
      };
    },
    "a request pattern is removed": remove(`${schema("ExtraHeaderName")}/pattern`),
    "a request format is removed": remove(`${schema("ReplyTo")}/format`),
    "the default of a request property is added": put(`${schema("PageSize")}/default`, 50),
    "a variant of a send is added": inTurn(
      put(schema("RawSend"), {
        title: "Raw message",
        type: "object",
        required: ["raw"],
        properties: { raw: { type: "string" } },
      }),
      add(`${schema("SendRequest")}/oneOf`, { $ref: "#/components/schemas/RawSend" }),
    ),
    "a template excludes one property fewer": removeLast(`${schema("TemplateSend")}/not/anyOf`),
    "a linked attachment may have content as well": remove(`${schema("LinkAttachment")}/not`),
    "a send without html requires no text": put(`${schema("ContentSend")}/then/required`, []),
    "a condition and its consequence are removed": inTurn(
      remove(`${schema("BatchContentMessage")}/if`),
      remove(`${schema("BatchContentMessage")}/then`),
    ),
    "names of extra headers lose their pattern": remove(`${schema("ExtraHeaders")}/propertyNames`),
    "a body is accepted as another media type": copy(
      json(`${at.upsertContact}/requestBody`),
      `${at.upsertContact}/requestBody/content/application~1merge-patch+json`,
    ),
  }),
  ...breaking(kept, {
    "an optional request property is removed": remove(field("ContactRequest", "last_name")),
    "a required request property is removed": inTurn(
      remove(field("ContactRequest", "email")),
      take(`${schema("ContactRequest")}/required`, "email"),
    ),
    "a property of a nested request object is removed": remove(field("Consent", "ip")),
    "an optional request property is renamed": rename(field("UnsubscribeRequest", "reason"), "why"),
    "a required request property is renamed": inTurn(
      rename(field("RescheduleRequest", "scheduled_at"), "send_at"),
      put(`${schema("RescheduleRequest")}/required`, ["send_at"]),
    ),
    "a variant of a send is removed": removeLast(`${schema("SendRequest")}/oneOf`),
  }),
  ...breaking(type, {
    "the type of a request property changes": put(`${field("UnsubscribeRequest", "reason")}/type`, "integer"),
    "the id of a list becomes a string": put(`${schema("ListId")}/type`, "string"),
    "an integer in a request becomes any number": put(`${schema("PageSize")}/type`, "number"),
    "an array in a request becomes a string": put(schema("ContactTags"), { type: "string", maxLength: 60 }),
    "the type beside a $ref changes": put(`${field("ContactRequest", "first_name")}/type`, "object"),
    "a request property refers to a schema of another type": put(field("ContactRequest", "tags"), {
      $ref: "#/components/schemas/PersonName",
    }),
    "a custom field can no longer be cleared with null": (bundle) => {
      bundle.components.schemas.FieldValues.additionalProperties = {
        oneOf: bundle.components.schemas.FieldValue.oneOf.slice(0, 2),
      };
    },
  }),
  ...additive(type, {
    "a request property accepts null as well": put(`${field("Consent", "detail")}/type`, ["string", "null"]),
  }),
  ...breaking(clients, {
    "a free request property gets an enum": put(`${field("UnsubscribeRequest", "reason")}/enum`, [
      "spam",
      "other",
    ]),
    "a request property becomes a constant": put(`${field("Consent", "user_agent")}/const`, "web"),
    "a request pattern is added": put(`${schema("PersonName")}/pattern`, "^[A-Za-z ]+$"),
    "a request pattern is changed": put(`${schema("MessageTagName")}/pattern`, "^[a-z]+$"),
    "a request format is added": put(`${field("Consent", "ip")}/format`, "ipv4"),
    "a request format is changed": put(`${schema("SendTime")}/format`, "date"),
    "the default of a request property changes": put(
      `${schema("AttachmentContentType")}/default`,
      "text/plain",
    ),
    "the default of a request property is removed": remove(`${schema("AttachmentContentType")}/default`),
    "unknown request properties are rejected": put(`${schema("ContactRequest")}/additionalProperties`, false),
    "a send with both html and text is rejected": (bundle) => {
      const request = bundle.components.schemas.ContentSend;
      request.not = { anyOf: [request.not, { required: ["html", "text"] }] };
    },
    "a template excludes another property": add(`${schema("TemplateSend")}/not/anyOf`, {
      required: ["tags"],
    }),
    "a send without html requires another property": add(
      `${schema("ContentSend")}/then/required`,
      "reply_to",
    ),
    "a send with html requires text as well": put(`${schema("ContentSend")}/else`, { required: ["text"] }),
    "a condition changes": put(`${schema("ContentSend")}/if`, { not: { required: ["html", "cc"] } }),
    "names of variables get a pattern": put(`${schema("TemplateVariables")}/propertyNames`, {
      pattern: "^[a-z]+$",
    }),
    "one request property requires another": put(`${schema("ContactRequest")}/dependentRequired`, {
      last_name: ["first_name"],
    }),
    "the tags of a contact must be unique": put(`${schema("ContactTags")}/uniqueItems`, true),
    "the values of variables must be strings": put(`${schema("TemplateVariables")}/additionalProperties`, {
      type: "string",
    }),
  }),
  ...editorial({
    "additionalProperties: true is written out": put(
      `${schema("ContactRequest")}/additionalProperties`,
      true,
    ),
  }),
];
