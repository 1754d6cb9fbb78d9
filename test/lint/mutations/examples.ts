import { at, change, example, field, json, parameter, put, remove, rename } from "../../document-edits.ts";
import type { Defects } from "../mutate/defects.ts";

const request = (operation: string): string => `${json(`${operation}/requestBody`)}/examples`;

export const examples: Defects = {
  "oas3-valid-media-example": {
    "an example with a field of another type": change(`${example("SendReceipt")}/value/subject`, 1042),
    "an example without a required field": remove(`${example("ContactSignup")}/value/list_id`),
    "an example with an unknown status": change(`${example("MessageSent")}/value/status`, "on its way"),
    "an example with a day for a moment": change(`${example("MessageSent")}/value/sent_at`, "2026-11-21"),
    "an example with a display name": change(
      `${example("SendReceipt")}/value/from`,
      "Shop <shop@example.com>",
    ),
    "an example with a single recipient that is no list": change(
      `${example("SendTemplate")}/value/to`,
      "ada@example.com",
    ),
    "an example that mixes a template and a subject": put(
      `${example("SendTemplate")}/value/subject`,
      "Welcome",
    ),
    "a message of a batch with attachments": put(
      `${example("BatchTwoReceipts")}/value/emails/0/attachments`,
      [],
    ),
    "a message of a batch with a time": put(
      `${example("BatchTwoReceipts")}/value/emails/0/scheduled_at`,
      "2026-12-24T18:00:00+01:00",
    ),
    "an attachment with both bytes and a link": put(
      `${example("SendInlineImage")}/value/attachments/0/path`,
      "https://files.example.com/winter.png",
    ),
    "an attachment by plain http": change(
      `${example("SendAllFields")}/value/attachments/1/path`,
      "http://files.example.com/terms.pdf",
    ),
    "a contact in capitals in a response": change(
      `${example("MembershipPending")}/value/email`,
      "Ada@example.com",
    ),
    "a batch response with another kind of id": change(
      `${json(`${at.sendBatch}/responses/2XX`)}/examples/accepted/value/data/0/id`,
      "01JD7R0B2C4D6E",
    ),
    "a parameter example that is no address": change(`${parameter("ContactEmail")}/example`, "ada"),
  },
  "example-times-valid": {
    "an example with a time that is not UTC": change(
      `${example("MessageScheduled")}/value/scheduled_at`,
      "2026-12-24T18:00:00+01:00",
    ),
    "an example with a time without an offset": change(
      `${example("SendScheduled")}/value/scheduled_at`,
      "2026-12-24T18:00:00",
    ),
    "an example that schedules a message too far ahead": change(
      `${example("SendScheduled")}/value/scheduled_at`,
      "2027-03-21T10:00:00+01:00",
    ),
    "an example that was sent later than all others": change(
      `${example("MessageSent")}/value/sent_at`,
      "2027-02-01T09:00:00Z",
    ),
    "examples without their time": remove("/x-example-time"),
  },
  "unspecified-values-in-examples": {
    "an example with a class of bounces": change(`${example("MessageBounced")}/value/bounce/type`, "hard"),
  },
  "examples-on-reserved-domains": {
    "an example on somebody's domain": change(`${example("SendReceipt")}/value/to/0`, "ada@gmail.com"),
    "an example with somebody's link": change(
      `${example("SendAllFields")}/value/attachments/1/path`,
      "https://files.shop.io/terms.pdf",
    ),
    "an example with somebody's IP address": change(
      `${example("ContactSignup")}/value/consent/ip`,
      "93.184.216.34",
    ),
    "a description with somebody's address": change(
      `${parameter("ContactEmail")}/description`,
      "Percent-encoded, as in ada%40gmail.com.",
    ),
    "an example of this very machine": change(
      "/servers/0/variables/base_url/default",
      "https://localhost:4010",
    ),
  },
  "request-has-example": {
    "a request without examples": change(request(at.rescheduleEmail), {}),
  },
  "response-has-example": {
    "a response without examples": remove(`${json(`${at.getMe}/responses/200`)}/examples`),
    "a response without a body": remove(`${at.cancelEmail}/responses/2XX/content`),
  },
  "examples-named-and-summarised": {
    "an example without a summary": remove(`${example("SendReceipt")}/summary`),
    "an example without a value": remove(`${example("ContactRequiredFields")}/value`),
    "a name that is not in snake_case": rename(`${request(at.unsubscribeContact)}/one_list`, "One list"),
    "an example without a name": put(`${json(`${at.listCustomFields}/responses/2XX`)}/example`, {
      fields: [],
    }),
  },
  release: {
    "an example of a template send removed": remove(`${request(at.sendEmail)}/template`),
    "an example of a bounce removed": remove(`${json(`${at.getEmail}/responses/2XX`)}/examples/bounced`),
  },
  "oas3-valid-schema-example": {
    "a default that does not fit": put(`${field("UnsubscribeRequest", "list_id")}`, {
      type: "integer",
      format: "int64",
      minimum: 1,
      maximum: 9,
      "x-technical-limit": true,
      description: "The list.",
      default: 0,
    }),
  },
};
