import { type ErrorRow, errors as errorTable } from "../../../../generated/errors.ts";
import { type OperationId, operations } from "../../../../generated/operations.ts";
import { documented, mayOmitBody } from "../../response-checks/documented.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { differenceOf } from "../engine/compare.ts";
import { errorResponse, respondsAfterwardsWith, respondsWith, response } from "../service/disturbances.ts";
import type { WireResponse } from "../service/wire.ts";
import { newMessage, sampleCall } from "../support/calls.ts";
import { responseExample } from "../support/examples.ts";
import { byProduct } from "../support/products.ts";
import { adviseBackoff, assertError, finalError, retryPatience } from "../support/replies.ts";

/** The errors of an operation in the document that stay. */
const lastingErrors = (operation: OperationId): ErrorRow[] =>
  Object.values<ErrorRow>(errorTable).filter(
    ({ retry, operations }) => retry === "never" && operations.includes(operation),
  );

/** What services and what stands in front of them respond with when they fail. */
const html = { headers: { "content-type": "text/html" }, body: "<html><h1>Bad gateway</h1></html>" };
const failures: { title: string; operation: OperationId; made: WireResponse }[] = [
  { title: "500 without a body", operation: "listNewsletterLists", made: response(500) },
  {
    title: "500 with other JSON",
    operation: "cancelEmail",
    made: response(500, { body: { status: "down" } }),
  },
  { title: "500 with an HTML body", operation: "unsubscribeContact", made: response(500, html) },
  { title: "502 with an HTML body", operation: "rescheduleEmail", made: response(502, html) },
  { title: "503 without a body", operation: "cancelEmail", made: response(503) },
  {
    title: "503 with the error object",
    operation: "unsubscribeContact",
    made: errorResponse(503, "service_unavailable", { headers: { "retry-after": "0" } }),
  },
];

/** JSON that is not the error object, or has no more than its type. */
const otherErrors: unknown[] = [
  { message: "Forbidden" },
  { error: "forbidden" },
  { error: null },
  { errors: [{ type: "not_found" }] },
  ["not_found"],
  "not_found",
  null,
  { error: { type: "forbidden", message: "No.", fields: null, request_id: "req_1" } },
  { error: { type: "forbidden" } },
];

/** Messages that say something else than the type of their error. */
const misleading = [
  { status: 422, type: "invalid_request", message: "429 rate_limited: wait a second and retry." },
  { status: 409, type: "idempotency_conflict", message: "500 internal error, please try again later" },
  { status: 429, type: "send_rejected", message: "rate_limited: more than 120 requests in a minute" },
  { status: 403, type: "forbidden", message: "unauthorized" },
  { status: 401, type: "unauthorized", message: "" },
  { status: 403, type: "forbidden", message: "Send rejected: every recipient is suppressed." },
  { status: 422, type: "send_rejected", message: "No message was found: the id is invalid or unknown." },
  { status: 403, type: "send_rejected", message: '<b>Keine Berechtigung</b> für "bakery.example" ❌\n{}' },
];

const json = { "content-type": "application/json" };
const mediaTypes = [
  "application/json; charset=utf-8",
  'application/json;charset="UTF-8"',
  "Application/JSON",
];
const unreadable = [
  { title: "an HTML page", more: html },
  { title: "no body", more: { headers: json } },
  { title: "half a JSON text", more: { headers: json, body: '{"id":"msg_1","events":[{"type":"se' } },
];

const successOf = (operation: OperationId): number => Number(operations[operation].success[0]) || 200;

/** Whether the body of a success is specified. */
function hasBody(operation: OperationId): boolean {
  const row = documented(operation, successOf(operation));
  return row !== undefined && !mayOmitBody(row);
}

/** The fields of an error, with several messages, and names that are nested or have positions. */
const fieldErrors: { operation: OperationId; fields: Record<string, string[]> }[] = [
  {
    operation: "sendEmail",
    fields: {
      template_id: ["Is unknown.", "Must not be used with html."],
      "headers.X-Campaign": ["Must not contain line breaks."],
      "attachments.0.content_type": [""],
    },
  },
  {
    operation: "sendBatch",
    fields: {
      "emails.0.subject": ["Is required."],
      "emails.7.reply_to": ["Must be an email address.", "Is too long."],
      "emails.99.tags.a:b": ["Must be a string."],
    },
  },
];

export const errorChecks: ClientCheck[] = [
  check(
    "ERR-2",
    "an error has the status and the type of its response",
    byProduct(async (tester, ids) => {
      for (const operation of ids)
        for (const { status, type } of lastingErrors(operation)) {
          const made = errorResponse(status, type ?? "");
          const called = await tester.call(operation, {
            ...sampleCall(operation),
            disturb: Array(20).fill(respondsWith(made, `responds with ${status} ${type}`)),
          });
          assertError(called, status, type);
        }
    }),
  ),
  check(["ERR-2", "CONT-26"], "an unknown contact is an error, not a result", [
    testCase("", { operation: "getContact" }, async (tester) => {
      const called = await tester.call("getContact", { path: { email: "nobody@readers.example" } });
      assertError(called, 404, "not_found");
    }),
  ]),
  check("ERR-3", "the message of an error changes neither its kind nor its type", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      for (const { status, type, message } of misleading) {
        const made = errorResponse(status, type, { message });
        const disturb = Array(20).fill(respondsWith(made, `responds with ${status}: ${message}`));
        assertError(await tester.call("sendEmail", { body: newMessage(), disturb }), status, type);
      }
    }),
  ]),
  check(
    ["ERR-4", "BATCH-8"],
    "an error has the fields of its response, in a batch with the position of the message",
    fieldErrors.map(({ operation, fields }) =>
      testCase(operation, { operation }, async (tester) => {
        const made = errorResponse(422, "invalid_request", { fields });
        const called = await tester.call(operation, {
          ...sampleCall(operation),
          disturb: Array(20).fill(respondsWith(made)),
        });
        assertError(called, 422, "invalid_request");
        const difference = differenceOf(fields, called.error.fields ?? {});
        called.assert(
          difference === undefined,
          `fields ${JSON.stringify(fields)}`,
          `fields in which ${difference}`,
        );
      }),
    ),
  ),
  check(["ERR-5", "HEAD-1"], "an error has the request id of its response", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      const called = await tester.call("getEmail", { path: { id: "msg_none" } });
      const id = called.wire[0]?.response?.headers["x-service-request-id"];
      called.assert(called.error.requestId === id, `the request id ${id}`);
    }),
  ]),
  check("ERR-2", "an error response with another body is an error", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      for (const body of otherErrors) {
        const made = response(403, { headers: json, body: JSON.stringify(body) });
        const disturb = [respondsWith(made, `responds with 403 and ${JSON.stringify(body)}`)];
        const called = await tester.call("getEmail", { path: { id: "msg_sample" }, disturb });
        const { status, type } = called.error;
        called.assert((status ?? 403) === 403, "the status 403");
        called.assert((type ?? "forbidden") === "forbidden", "the type of the response, or none");
        if (status === undefined)
          tester.information.add(
            "An error response that is not the error object has no status for the caller.",
          );
      }
    }),
  ]),
  check(
    ["ERR-13", "ERR-14"],
    "a 500, 502 or 503 is an error with its status, whatever its body",
    failures.map(({ title, operation, made }) =>
      testCase(title, { operation }, async (tester) => {
        const called = await tester.call(operation, {
          ...sampleCall(operation),
          disturb: Array(20).fill(respondsWith(made, `responds with ${title}`)),
          patience: retryPatience,
        });
        assertError(called, made.status);
        adviseBackoff(tester, called);
      }),
    ),
    { waits: true },
  ),
  check("GEN-4", "a success is read whatever the form of its media type is", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      for (const type of mediaTypes) {
        const made = response(200, { headers: { "content-type": type }, body: responseExample("getEmail") });
        const disturb = [respondsWith(made, `responds with the media type ${type}`)];
        const called = await tester.call("getEmail", { ...sampleCall("getEmail"), disturb });
        void called.result;
      }
    }),
  ]),
  check("GEN-4", "a success that is not JSON is an error, and a message is not sent again", [
    ...byProduct(async (tester, ids) => {
      for (const operation of ids.filter(hasBody))
        for (const { title, more } of unreadable) {
          const made = response(successOf(operation), more);
          const disturb = Array(20).fill(respondsWith(made, `responds with ${made.status} and ${title}`));
          finalError(await tester.call(operation, { ...sampleCall(operation), disturb }));
        }
    }),
    testCase("after a send", { operation: "sendEmail" }, async (tester) => {
      const body = newMessage();
      const made = response(202, { headers: json, body: '{"id":"msg_1","to":[' });
      const called = await tester.call("sendEmail", {
        body,
        disturb: Array(20).fill(respondsAfterwardsWith(made)),
      });
      finalError(called);
    }),
  ]),
];
