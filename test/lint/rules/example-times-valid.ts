import type { Node } from "../../../scripts/document/values.ts";
import { error, getThing, type Invalid, json, operation, type Valid } from "../fragments.ts";

const now = "2027-01-31T09:00:00Z";
const send = "#/components/schemas/SendTime";
const thing = { properties: { scheduled_at: { $ref: send }, sent_at: { type: "string" } } };

/** A document whose request and response have this example. */
const both = (request: Node, response: Node, rest: Node = { "x-example-time": now }): Node =>
  operation(
    {
      requestBody: { content: json(thing, { shown: { value: request } }) },
      responses: { "200": { content: json(thing, { shown: { value: response } }) } },
    },
    {
      components: { schemas: { SendTime: { type: "string" } } },
      "x-limits": { scheduleAhead: { value: 30, schema: send } },
      ...rest,
    },
  );

const body = "content/application~1json/examples/shown/value";
const request = `${getThing}/requestBody/${body}`;
const response = `${getThing}/responses/200/${body}`;

export const valid: Valid = {
  "times within the limit in a request": both({ scheduled_at: "2027-03-02T10:00:00+01:00" }, {}),
  "times of the past in a response": both({}, { sent_at: now, events: [{ at: "2027-01-31T08:00:00Z" }] }),
  "a scheduled message in a response": both({}, { scheduled_at: "2027-02-21T09:00:00Z" }),
  "a message in a response that was scheduled": both({}, { scheduled_at: "2027-01-30T09:00:00Z" }),
  "a date, and a time in a sentence": both({ on: "2028-01-01", text: "At 2028-01-01T09:00:00Z." }, {}),
  "no times, and no time of the examples": both({ subject: "Hello" }, {}, {}),
};

export const invalid: Invalid = {
  "a time to send at that is past": {
    document: both({ scheduled_at: now }, {}),
    findings: [error(`${request}/scheduled_at`, `Change ${now} to a time within 30 days after ${now}.`)],
  },
  "times to send at that are too far ahead": {
    document: both({ scheduled_at: "2027-03-02T09:00:01Z" }, { scheduled_at: "2027-03-03T09:00:00Z" }),
    findings: [
      error(`${request}/scheduled_at`, `Change 2027-03-02T09:00:01Z to a time within 30 days after ${now}.`),
      error(`${response}/scheduled_at`, `Change 2027-03-03T09:00:00Z to a time within 30 days after ${now}.`),
    ],
  },
  "a response that names a later time": {
    document: both({}, { events: [{ at: "2027-01-31T09:00:01Z" }] }),
    findings: [
      error(
        `${response}/events/0/at`,
        `Change 2027-01-31T09:00:01Z to a time no later than ${now}, the time of the examples.`,
      ),
    ],
  },
  "a time without an offset": {
    document: both({ scheduled_at: "2027-02-21T09:00:00" }, {}),
    findings: [error(`${request}/scheduled_at`, "Add an offset to 2027-02-21T09:00:00.")],
  },
  "a response with a time that is not in UTC": {
    document: both({}, { sent_at: "2027-01-31T09:00:00+01:00" }),
    findings: [
      error(`${response}/sent_at`, "Change 2027-01-31T09:00:00+01:00 to UTC, as all times in responses."),
    ],
  },
  "no time of the examples": {
    document: both({}, { sent_at: now }, {}),
    findings: [
      error(
        `${response}/sent_at`,
        "Add x-example-time with an offset: the time at which all examples are valid.",
      ),
    ],
  },
};
