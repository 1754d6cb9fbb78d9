import { additive, breaking, editorial, follows, schema } from "./change.ts";

const { clients } = follows;

/** Changes of limits in requests and responses. */
export const limitChanges = [
  breaking(clients, "the maximum length of subjects falls", (bundle) => {
    schema(bundle, "Subject").maxLength = 500;
  }),
  additive(clients, "the maximum length of subjects rises", (bundle) => {
    schema(bundle, "Subject").maxLength = 2000;
  }),
  additive(clients, "the maximum length of subjects is removed", (bundle) => {
    delete schema(bundle, "Subject").maxLength;
    delete bundle["x-limits"].subjectLength;
  }),
  breaking(clients, "a message may have fewer recipients", (bundle) => {
    schema(bundle, "EmailAddresses").maxItems = 25;
  }),
  additive(clients, "a message may have more recipients", (bundle) => {
    schema(bundle, "EmailAddresses").maxItems = 100;
  }),
  breaking(clients, "a message may have fewer attachments", (bundle) => {
    schema(bundle, "Attachments").maxItems = 10;
  }),
  breaking(clients, "a batch may have fewer messages", (bundle) => {
    schema(bundle, "BatchRequest").properties.emails.maxItems = 50;
  }),
  additive(clients, "a batch may have more messages", (bundle) => {
    schema(bundle, "BatchRequest").properties.emails.maxItems = 500;
  }),
  breaking(clients, "a batch requires two messages", (bundle) => {
    schema(bundle, "BatchRequest").properties.emails.minItems = 2;
  }),
  additive(clients, "a batch may be empty", (bundle) => {
    schema(bundle, "BatchRequest").properties.emails.minItems = 0;
  }),
  breaking(clients, "recipients require one entry", (bundle) => {
    schema(bundle, "EmailAddresses").minItems = 1;
  }),
  breaking(clients, "a message may have fewer extra headers", (bundle) => {
    schema(bundle, "ExtraHeaders").maxProperties = 5;
  }),
  additive(clients, "a message may have more extra headers", (bundle) => {
    schema(bundle, "ExtraHeaders").maxProperties = 20;
  }),
  breaking(clients, "a contact may have fewer custom fields in one request", (bundle) => {
    schema(bundle, "FieldValues").maxProperties = 10;
  }),
  breaking(clients, "the maximum length of names falls", (bundle) => {
    schema(bundle, "PersonName").maxLength = 60;
  }),
  breaking(clients, "names must not be empty", (bundle) => {
    schema(bundle, "PersonName").minLength = 1;
  }),
  breaking(clients, "the maximum length of idempotency keys falls", (bundle) => {
    schema(bundle, "IdempotencyKey").maxLength = 64;
  }),
  additive(clients, "the maximum length of idempotency keys rises", (bundle) => {
    schema(bundle, "IdempotencyKey").maxLength = 512;
  }),
  breaking(clients, "a page may have fewer entries", (bundle) => {
    schema(bundle, "PageSize").maximum = 50;
  }),
  additive(clients, "a page may have more entries", (bundle) => {
    schema(bundle, "PageSize").maximum = 200;
  }),
  breaking(clients, "a page requires more entries", (bundle) => {
    schema(bundle, "PageSize").minimum = 10;
  }),
  breaking(clients, "tag values get longer in requests and responses", (bundle) => {
    schema(bundle, "MessageTagValue").maxLength = 256;
  }),
  breaking(clients, "a technical limit of requests becomes a limit", (bundle) => {
    delete schema(bundle, "HtmlBody")["x-technical-limit"];
  }),
  breaking(clients, "a limit of requests becomes a technical limit", (bundle) => {
    schema(bundle, "Subject")["x-technical-limit"] = true;
  }),
  breaking(clients, "a limit of responses becomes a technical limit", (bundle) => {
    schema(bundle, "MessageTagValue")["x-technical-limit"] = true;
  }),
  additive(clients, "a technical limit of responses becomes a limit", (bundle) => {
    delete schema(bundle, "RequestId")["x-technical-limit"];
  }),
  editorial("a technical limit of a request falls", (bundle) => {
    schema(bundle, "HtmlBody").maxLength = 1_000_000;
  }),
  editorial("a technical limit of a response rises", (bundle) => {
    schema(bundle, "Message").properties.events.maxItems = 100_000;
  }),
  editorial("a technical limit is removed", (bundle) => {
    delete schema(bundle, "TextBody").maxLength;
    delete schema(bundle, "TextBody")["x-technical-limit"];
  }),
  additive(clients, "an array in a response gets at least one item", (bundle) => {
    schema(bundle, "BatchResponse").properties.data.minItems = 1;
  }),
  breaking(clients, "the limit of an array in a response is removed", (bundle) => {
    delete schema(bundle, "MessageTags").maxProperties;
  }),
  additive(clients, "the technical limits of a count become limits", (bundle) => {
    delete schema(bundle, "Count")["x-technical-limit"];
  }),
];
