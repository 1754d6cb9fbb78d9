import {
  at,
  change,
  type Defects,
  defect,
  example,
  field,
  json,
  parameter,
  put,
  remove,
  rename,
} from "../mutate/edit.ts";

const request = (operation: string): string => `${json(`${operation}/requestBody`)}/examples`;

export const examples: Defects = {
  "an example with a field of another type": defect(
    "oas3-valid-media-example",
    change(`${example("SendReceipt")}/value/subject`, 1042),
  ),
  "an example without a required field": defect(
    "oas3-valid-media-example",
    remove(`${example("ContactSignup")}/value/list_id`),
  ),
  "an example with an unknown status": defect(
    "oas3-valid-media-example",
    change(`${example("MessageSent")}/value/status`, "on its way"),
  ),
  "an example with a day for a moment": defect(
    "oas3-valid-media-example",
    change(`${example("MessageSent")}/value/sent_at`, "2026-11-21"),
  ),
  "an example with a time that is not UTC": defect(
    "example-times-valid",
    change(`${example("MessageScheduled")}/value/scheduled_at`, "2026-12-24T18:00:00+01:00"),
  ),
  "an example with a time without an offset": defect(
    "example-times-valid",
    change(`${example("SendScheduled")}/value/scheduled_at`, "2026-12-24T18:00:00"),
  ),
  "an example that schedules a message too far ahead": defect(
    "example-times-valid",
    change(`${example("SendScheduled")}/value/scheduled_at`, "2027-03-21T10:00:00+01:00"),
  ),
  "an example that was sent later than all others": defect(
    "example-times-valid",
    change(`${example("MessageSent")}/value/sent_at`, "2027-02-01T09:00:00Z"),
  ),
  "examples without their time": defect("example-times-valid", remove("/x-example-time")),
  "an example with a class of bounces": defect(
    "unspecified-values-in-examples",
    change(`${example("MessageBounced")}/value/bounce/type`, "hard"),
  ),
  "an example with a display name": defect(
    "oas3-valid-media-example",
    change(`${example("SendReceipt")}/value/from`, "Shop <shop@example.com>"),
  ),
  "an example with a single recipient that is no list": defect(
    "oas3-valid-media-example",
    change(`${example("SendTemplate")}/value/to`, "ada@example.com"),
  ),
  "an example that mixes a template and a subject": defect(
    "oas3-valid-media-example",
    put(`${example("SendTemplate")}/value/subject`, "Welcome"),
  ),
  "a message of a batch with attachments": defect(
    "oas3-valid-media-example",
    put(`${example("BatchTwoReceipts")}/value/emails/0/attachments`, []),
  ),
  "a message of a batch with a time": defect(
    "oas3-valid-media-example",
    put(`${example("BatchTwoReceipts")}/value/emails/0/scheduled_at`, "2026-12-24T18:00:00+01:00"),
  ),
  "an attachment with both bytes and a link": defect(
    "oas3-valid-media-example",
    put(`${example("SendInlineImage")}/value/attachments/0/path`, "https://files.example.com/winter.png"),
  ),
  "an attachment by plain http": defect(
    "oas3-valid-media-example",
    change(`${example("SendAllFields")}/value/attachments/1/path`, "http://files.example.com/terms.pdf"),
  ),
  "a contact in capitals in a response": defect(
    "oas3-valid-media-example",
    change(`${example("MembershipPending")}/value/email`, "Ada@example.com"),
  ),
  "a batch response with another kind of id": defect(
    "oas3-valid-media-example",
    change(`${json(`${at.sendBatch}/responses/2XX`)}/examples/accepted/value/data/0/id`, "01JD7R0B2C4D6E"),
  ),
  "a parameter example that is no address": defect(
    "oas3-valid-media-example",
    change(`${parameter("ContactEmail")}/example`, "ada"),
  ),
  "an example on somebody's domain": defect(
    "examples-on-reserved-domains",
    change(`${example("SendReceipt")}/value/to/0`, "ada@gmail.com"),
  ),
  "an example with somebody's link": defect(
    "examples-on-reserved-domains",
    change(`${example("SendAllFields")}/value/attachments/1/path`, "https://files.shop.io/terms.pdf"),
  ),
  "an example with somebody's IP address": defect(
    "examples-on-reserved-domains",
    change(`${example("ContactSignup")}/value/consent/ip`, "93.184.216.34"),
  ),
  "a description with somebody's address": defect(
    "examples-on-reserved-domains",
    change(`${parameter("ContactEmail")}/description`, "URL encoded, as in ada%40gmail.com."),
  ),
  "an example of this very machine": defect(
    "examples-on-reserved-domains",
    change("/servers/0/variables/base_url/default", "https://localhost:4010"),
  ),
  "a request without examples": defect("request-has-example", change(request(at.rescheduleEmail), {})),
  "a response without examples": defect(
    "response-has-example",
    remove(`${json(`${at.getMe}/responses/200`)}/examples`),
  ),
  "a response without a body": defect(
    "response-has-example",
    remove(`${at.cancelEmail}/responses/2XX/content`),
  ),
  "an example without a summary": defect(
    "examples-named-and-summarised",
    remove(`${example("SendReceipt")}/summary`),
  ),
  "an example without a value": defect(
    "examples-named-and-summarised",
    remove(`${example("ContactRequiredFields")}/value`),
  ),
  "a name that is not in snake_case": defect(
    "examples-named-and-summarised",
    rename(`${request(at.unsubscribeContact)}/one_list`, "One list"),
  ),
  "an example without a name": defect(
    "examples-named-and-summarised",
    put(`${json(`${at.listCustomFields}/responses/2XX`)}/example`, { fields: [] }),
  ),
  "an example of a template send removed": defect("release", remove(`${request(at.sendEmail)}/template`)),
  "an example of a bounce removed": defect(
    "release",
    remove(`${json(`${at.getEmail}/responses/2XX`)}/examples/bounced`),
  ),
  "a default that does not fit": defect(
    "oas3-valid-schema-example",
    put(`${field("UnsubscribeRequest", "list_id")}`, {
      type: "integer",
      format: "int64",
      minimum: 1,
      maximum: 9,
      "x-technical-limit": true,
      description: "The list.",
      default: 0,
    }),
  ),
};
