import { field, inTurn, put, remove, schema } from "../../document-edits.ts";
import { additive, breaking, editorial, follows } from "./change.ts";

const { clients } = follows;

/** Changes of limits in requests and responses. */
export const limitChanges = [
  ...breaking(clients, {
    "the maximum length of subjects falls": put(`${schema("Subject")}/maxLength`, 500),
    "a message may have fewer recipients": put(`${schema("EmailAddresses")}/maxItems`, 25),
    "a message may have fewer attachments": put(`${schema("Attachments")}/maxItems`, 10),
    "a batch may have fewer messages": put(`${field("BatchRequest", "emails")}/maxItems`, 50),
    "a batch requires two messages": put(`${field("BatchRequest", "emails")}/minItems`, 2),
    "recipients require one entry": put(`${schema("EmailAddresses")}/minItems`, 1),
    "a message may have fewer extra headers": put(`${schema("ExtraHeaders")}/maxProperties`, 5),
    "a contact may have fewer custom fields in one request": put(
      `${schema("FieldValues")}/maxProperties`,
      10,
    ),
    "the maximum length of names falls": put(`${schema("PersonName")}/maxLength`, 60),
    "names must not be empty": put(`${schema("PersonName")}/minLength`, 1),
    "the maximum length of idempotency keys falls": put(`${schema("IdempotencyKey")}/maxLength`, 64),
    "a page may have fewer entries": put(`${schema("PageSize")}/maximum`, 50),
    "a page requires more entries": put(`${schema("PageSize")}/minimum`, 10),
    "tag values get longer in requests and responses": put(`${schema("MessageTagValue")}/maxLength`, 256),
    "a technical limit of requests becomes a limit": remove(`${schema("HtmlBody")}/x-technical-limit`),
    "a limit of requests becomes a technical limit": put(`${schema("Subject")}/x-technical-limit`, true),
    "a limit of responses becomes a technical limit": put(
      `${schema("MessageTagValue")}/x-technical-limit`,
      true,
    ),
    "the limit of an array in a response is removed": remove(`${schema("MessageTags")}/maxProperties`),
  }),
  ...additive(clients, {
    "the maximum length of subjects rises": put(`${schema("Subject")}/maxLength`, 2000),
    "the maximum length of subjects is removed": inTurn(
      remove(`${schema("Subject")}/maxLength`),
      remove("/x-limits/subjectLength"),
    ),
    "a message may have more recipients": put(`${schema("EmailAddresses")}/maxItems`, 100),
    "a batch may have more messages": put(`${field("BatchRequest", "emails")}/maxItems`, 500),
    "a batch may be empty": put(`${field("BatchRequest", "emails")}/minItems`, 0),
    "a message may have more extra headers": put(`${schema("ExtraHeaders")}/maxProperties`, 20),
    "the maximum length of idempotency keys rises": put(`${schema("IdempotencyKey")}/maxLength`, 512),
    "a page may have more entries": put(`${schema("PageSize")}/maximum`, 200),
    "a technical limit of responses becomes a limit": remove(`${schema("RequestId")}/x-technical-limit`),
    "an array in a response gets at least one item": put(`${field("BatchResponse", "data")}/minItems`, 1),
    "the technical limits of a count become limits": remove(`${schema("Count")}/x-technical-limit`),
  }),
  ...editorial({
    "a technical limit of a request falls": put(`${schema("HtmlBody")}/maxLength`, 1_000_000),
    "a technical limit of a response rises": put(`${field("Message", "events")}/maxItems`, 100_000),
    "a technical limit is removed": inTurn(
      remove(`${schema("TextBody")}/maxLength`),
      remove(`${schema("TextBody")}/x-technical-limit`),
    ),
  }),
];
