import { allowed, breaking, editorial, follows, schema } from "./change.ts";

const { clients } = follows;

/** Changes of how long, how many and how large, in requests and answers. */
export const boundChanges = [
  breaking(clients, "a subject may be shorter only", (bundle) => {
    schema(bundle, "Subject").maxLength = 500;
  }),
  allowed(clients, "a subject may be longer", (bundle) => {
    schema(bundle, "Subject").maxLength = 2000;
  }),
  allowed(clients, "a subject may be of any length", (bundle) => {
    delete schema(bundle, "Subject").maxLength;
    delete bundle["x-limits"].subjectLength;
  }),
  breaking(clients, "a message may have fewer recipients", (bundle) => {
    schema(bundle, "EmailAddresses").maxItems = 25;
  }),
  allowed(clients, "a message may have more recipients", (bundle) => {
    schema(bundle, "EmailAddresses").maxItems = 100;
  }),
  breaking(clients, "a message may have fewer attachments", (bundle) => {
    schema(bundle, "Attachments").maxItems = 10;
  }),
  breaking(clients, "a batch may have fewer messages", (bundle) => {
    schema(bundle, "BatchRequest").properties.emails.maxItems = 50;
  }),
  allowed(clients, "a batch may have more messages", (bundle) => {
    schema(bundle, "BatchRequest").properties.emails.maxItems = 500;
  }),
  breaking(clients, "a batch must have two messages", (bundle) => {
    schema(bundle, "BatchRequest").properties.emails.minItems = 2;
  }),
  allowed(clients, "a batch may be empty", (bundle) => {
    schema(bundle, "BatchRequest").properties.emails.minItems = 0;
  }),
  breaking(clients, "recipients must not be empty", (bundle) => {
    schema(bundle, "EmailAddresses").minItems = 1;
  }),
  breaking(clients, "a message may have fewer extra headers", (bundle) => {
    schema(bundle, "ExtraHeaders").maxProperties = 5;
  }),
  allowed(clients, "a message may have more extra headers", (bundle) => {
    schema(bundle, "ExtraHeaders").maxProperties = 20;
  }),
  breaking(clients, "a contact may have fewer custom fields in one request", (bundle) => {
    schema(bundle, "FieldValues").maxProperties = 10;
  }),
  breaking(clients, "names of people may be shorter only", (bundle) => {
    schema(bundle, "PersonName").maxLength = 60;
  }),
  breaking(clients, "names of people must have a length", (bundle) => {
    schema(bundle, "PersonName").minLength = 1;
  }),
  breaking(clients, "an idempotency key may be shorter only", (bundle) => {
    schema(bundle, "IdempotencyKey").maxLength = 64;
  }),
  allowed(clients, "an idempotency key may be longer", (bundle) => {
    schema(bundle, "IdempotencyKey").maxLength = 512;
  }),
  breaking(clients, "a page may have fewer entries", (bundle) => {
    schema(bundle, "PageSize").maximum = 50;
  }),
  allowed(clients, "a page may have more entries", (bundle) => {
    schema(bundle, "PageSize").maximum = 200;
  }),
  breaking(clients, "a page must have more entries", (bundle) => {
    schema(bundle, "PageSize").minimum = 10;
  }),
  breaking(clients, "values of labels get longer in answers and in requests", (bundle) => {
    schema(bundle, "MessageTagValue").maxLength = 256;
  }),
  breaking(clients, "a technical bound of requests becomes a promise", (bundle) => {
    delete schema(bundle, "HtmlBody")["x-technical-limit"];
  }),
  breaking(clients, "a promised limit of requests becomes a technical bound", (bundle) => {
    schema(bundle, "Subject")["x-technical-limit"] = true;
  }),
  breaking(clients, "a promised bound of answers becomes a technical one", (bundle) => {
    schema(bundle, "MessageTagValue")["x-technical-limit"] = true;
  }),
  allowed(clients, "a technical bound of answers becomes a promise", (bundle) => {
    delete schema(bundle, "RequestId")["x-technical-limit"];
  }),
  editorial("a technical bound of a request is lower", (bundle) => {
    schema(bundle, "HtmlBody").maxLength = 1_000_000;
  }),
  editorial("a technical bound of an answer is higher", (bundle) => {
    schema(bundle, "Message").properties.events.maxItems = 100_000;
  }),
  editorial("a technical bound is removed", (bundle) => {
    delete schema(bundle, "TextBody").maxLength;
    delete schema(bundle, "TextBody")["x-technical-limit"];
  }),
  allowed(clients, "an answer has at least one entry", (bundle) => {
    schema(bundle, "BatchResponse").properties.data.minItems = 1;
  }),
  breaking(clients, "an answered list is bounded by promise no more", (bundle) => {
    delete schema(bundle, "MessageTags").maxProperties;
  }),
  allowed(clients, "the bounds of a count are promised", (bundle) => {
    delete schema(bundle, "Count")["x-technical-limit"];
  }),
];
