import { operations } from "../../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import type { Exchange } from "../exchange.ts";
import type { Law } from "./bounds.ts";

/** The laws about what a single send takes. */
export const ofSend: readonly Law[] = [
  { id: "SEND-2", title: "a send needs a from", claims: [["from", "required"]] },
  {
    id: "SEND-3",
    title: "the from address stands alone, without a display name",
    claims: [["from", "format", "pattern"]],
  },
  { id: "SEND-5", title: "a send needs a to", claims: [["to", "required"]] },
  { id: "SEND-6", title: "to is a list, even of one address", claims: [["to", "type"]] },
  { id: "SEND-7", title: "to has no more addresses than the limit", claims: [["to", "maxItems"]] },
  { id: "SEND-8", title: "a send with its own content needs a subject", claims: [["subject", "required"]] },
  { id: "SEND-9", title: "a subject is no longer than its limit", claims: [["subject", "maxLength"]] },
  { id: "SEND-10", title: "a send with its own content has html or text, or both", claims: [["", "if"]] },
  {
    id: "SEND-14",
    title: "a send may name a template in place of content",
    claims: [["template_id", "required", "type"]],
  },
  { id: "SEND-16", title: "variables are names with values", claims: [["variables"]] },
  { id: "SEND-18", title: "cc is a list of addresses within its limit", claims: [["cc"], ["cc.*"]] },
  { id: "SEND-19", title: "bcc is a list of addresses within its limit", claims: [["bcc"], ["bcc.*"]] },
  {
    id: "SEND-20",
    title: "tags are names with texts",
    claims: [
      ["tags", "type"],
      ["tags.*", "type"],
    ],
  },
  { id: "SEND-21", title: "tags are no more than their limit", claims: [["tags", "maxProperties"]] },
  {
    id: "SEND-22",
    title: "the name of a tag is made of certain characters",
    claims: [["tags", "propertyNames"]],
  },
  {
    id: "SEND-23",
    title: "the value of a tag is no longer than its limit",
    claims: [["tags.*", "maxLength"]],
  },
  {
    id: "SEND-24",
    title: "headers are names with texts",
    claims: [
      ["headers", "type"],
      ["headers.*", "type"],
    ],
  },
  { id: "SEND-25", title: "headers are no more than their limit", claims: [["headers", "maxProperties"]] },
  {
    id: "SEND-26",
    title: "a header is named X-... or as one of the two for lists",
    claims: [["headers", "propertyNames"]],
  },
  { id: "SEND-27", title: "the value of a header has no line break", claims: [["headers.*", "pattern"]] },
  { id: "SEND-29", title: "what is not required may be left out", claims: [["", "properties"]] },
  {
    id: "SEND-30",
    title: "a send that is taken is answered with the status of the document",
    claims: [["", "example"]],
    isAccepted: isTaken,
  },
  {
    id: "ATT-1",
    title: "attachments are a list",
    claims: [
      ["attachments", "type"],
      ["attachments.*", "type"],
    ],
  },
  { id: "ATT-2", title: "attachments are no more than their limit", claims: [["attachments", "maxItems"]] },
  { id: "ATT-3", title: "an attachment needs a filename", claims: [["attachments.*.filename"]] },
  {
    id: "ATT-4",
    title: "an attachment has either content or path",
    claims: [
      ["attachments.*.content", "required", "not", "type"],
      ["attachments.*.path", "required", "not", "type"],
    ],
  },
  { id: "ATT-5", title: "the content of an attachment is base64", claims: [["attachments.*.content"]] },
  { id: "ATT-7", title: "the path of an attachment is an https address", claims: [["attachments.*.path"]] },
  {
    id: "ATT-11",
    title: "the content_type of an attachment is a text",
    claims: [["attachments.*.content_type"]],
  },
  { id: "GEN-6", title: "the time of a send states its offset from UTC", claims: [["scheduled_at"]] },
  {
    id: "IDEM-4",
    title: "an idempotency key of a send is no longer than its limit",
    claims: [["Idempotency-Key"]],
  },
  {
    id: "ERR-10",
    title: "every other rule on a send holds on both its sides",
    claims: [
      ["", "type"],
      ["from", "type"],
      ["to.*"],
      ["subject", "type", "not"],
      ["template_id", "not"],
      ["html"],
      ["text"],
      ["reply_to"],
      ["attachments.*", "properties"],
      ["attachments.*.content_id"],
    ],
  },
];

function isTaken(exchange: Exchange): void {
  const taken: readonly string[] = operations.sendEmail.success;
  assert(taken.includes(String(exchange.status)), exchange, {
    expected: `status ${taken.join(" or ")}`,
    found: `status ${exchange.status}`,
  });
}

/** The laws about what a batch takes. */
export const ofBatch: readonly Law[] = [
  {
    id: "BATCH-1",
    title: "a batch is an object with its messages in emails",
    claims: [["emails", "type", "required"], [""]],
  },
  { id: "BATCH-2", title: "a batch has at least one message", claims: [["emails", "minItems"]] },
  { id: "BATCH-3", title: "a batch has no more messages than its limit", claims: [["emails", "maxItems"]] },
  {
    id: "BATCH-4",
    title: "a message of a batch keeps to the rules of a single one",
    claims: [["emails.**"]],
  },
  { id: "BATCH-5", title: "a message of a batch has no attachments", claims: [["emails.*.attachments"]] },
  {
    id: "BATCH-6",
    title: "a message of a batch has no time of its own",
    claims: [["emails.*.scheduled_at"]],
  },
  {
    id: "IDEM-4",
    title: "an idempotency key of a batch is no longer than its limit",
    claims: [["Idempotency-Key"]],
  },
];

/** The laws about what a change of time takes. */
export const ofReschedule: readonly Law[] = [
  {
    id: "SCHED-8",
    title: "a change of time needs the new time, under the rules of a send",
    claims: [[""], ["scheduled_at"]],
  },
  {
    id: "GEN-6",
    title: "the time of a change states its offset from UTC",
    claims: [["scheduled_at", "format", "pattern"]],
  },
];

/** The laws about what adding or updating a contact takes. */
export const ofContact: readonly Law[] = [
  { id: "CONT-5", title: "a contact needs an email", claims: [["email"]] },
  { id: "CONT-6", title: "a contact needs a list_id, a whole number", claims: [["list_id"]] },
  { id: "CONT-8", title: "a first_name is a text within its limit", claims: [["first_name"]] },
  { id: "CONT-9", title: "a last_name is a text within its limit", claims: [["last_name"]] },
  {
    id: "CONT-10",
    title: "values of custom fields are no more than their limit",
    claims: [["fields", "maxProperties"]],
  },
  { id: "CONT-13", title: "a custom field takes null as well as a value", claims: [["fields.*"]] },
  { id: "CONT-14", title: "tags of a contact are a list within its limit", claims: [["tags"]] },
  { id: "CONT-15", title: "a tag of a contact is a text within its limit", claims: [["tags.*"]] },
  { id: "CONT-17", title: "a consent may say where the address came from", claims: [["consent.detail"]] },
  { id: "CONT-21", title: "a consent may give an IP address", claims: [["consent.ip"]] },
  { id: "CONT-22", title: "a consent may name a browser", claims: [["consent.user_agent"]] },
  {
    id: "IDEM-4",
    title: "an idempotency key of a contact is no longer than its limit",
    claims: [["Idempotency-Key"]],
  },
  {
    id: "ERR-10",
    title: "every other rule on a contact holds on both its sides",
    claims: [[""], ["fields", "type"], ["consent"]],
  },
];

/** The laws about what an unsubscribe takes. */
export const ofUnsubscribe: readonly Law[] = [
  {
    id: "UNSUB-6",
    title: "an unsubscribe may name a list, by a whole number",
    claims: [["list_id"], ["", "properties", "example"]],
  },
  { id: "UNSUB-7", title: "an unsubscribe may give a reason, a text", claims: [["reason"]] },
  {
    id: "ERR-10",
    title: "every other rule on an unsubscribe holds on both its sides",
    claims: [["", "type"]],
  },
];
