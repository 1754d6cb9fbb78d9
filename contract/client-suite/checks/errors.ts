import { type ErrorRow, errors as errorTable } from "../../../generated/errors.ts";
import type { OperationId } from "../../../generated/operations.ts";
import type { TestCase } from "../../engine/check.ts";
import { type ClientCheck, type ClientTester, check, testCase, waiting } from "../engine/client-tester.ts";
import { differenceText } from "../engine/compare.ts";
import { errorResponse, json, response } from "../service/disturbances.ts";
import type { WireResponse } from "../service/recording-server.ts";
import { adviseBackoff, assertError, assertReturns, htmlPage, retryTimeout } from "../support/assertions.ts";
import { byProduct, callWith, newMessage } from "../support/samples.ts";
import values from "../support/values.json" with { type: "json" };

/** The errors of an operation in the document that stay. */
const lastingErrors = (operation: OperationId): ErrorRow[] =>
  Object.values<ErrorRow>(errorTable).filter(
    ({ retry, operations }) => retry === "never" && operations.includes(operation),
  );

export const errorChecks: ClientCheck[] = [
  check(
    "ERR-2",
    "an error has the status and the type of its response",
    byProduct(async (tester, ids) => {
      for (const operation of ids)
        for (const { status, type } of lastingErrors(operation)) {
          const title = `responds with ${status} ${type}`;
          const made = errorResponse(status, type ?? "");
          assertError(await callWith(tester, operation, made, { title }), status, type);
        }
    }),
  ),
  check("CONT-26", "an unknown contact is an error, not a result", [
    testCase("", { operation: "getContact" }, async (tester) => {
      assertError(await tester.call("getContact", { path: { email: "nobody@readers.example" } }), 404);
    }),
  ]),
  check("ERR-3", "the message of an error changes neither its kind nor its type", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      for (const { status, type, message } of values.misleadingErrors) {
        const made = errorResponse(status, type, { message });
        const title = `responds with ${status}: ${message}`;
        const called = await callWith(tester, "sendEmail", made, { title, body: newMessage() });
        assertError(called, status);
        // That it has a type at all is a requirement of its own.
        called.assert((called.error.type ?? type) === type, `an error of the type ${type}`);
      }
    }),
  ]),
  check("ERR-2", "an error response with another body is an error", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      // JSON that is not the error object, or has no more than its type.
      for (const body of values.otherErrors) {
        const made = response(403, { headers: json, body: JSON.stringify(body) });
        const title = `responds with 403 and ${JSON.stringify(body)}`;
        const called = await callWith(tester, "getEmail", made, { title });
        const { status, type } = called.error;
        called.assert((status ?? 403) === 403, "the status 403");
        called.assert((type ?? "forbidden") === "forbidden", "the type of the response, or none");
        if (status == null)
          tester.information.add(
            "An error response that is not the error object has no status for the caller.",
          );
      }
    }),
  ]),
];

/** Asserts that the error of a call has the fields of the response. */
async function assertFields(tester: ClientTester, operation: OperationId, fields: Record<string, string[]>) {
  assertReturns(tester, "fields");
  const called = await callWith(tester, operation, errorResponse(422, "invalid_request", { fields }));
  assertError(called.about("ERR-2"), 422);
  const difference = differenceText(fields, called.error.fields ?? {});
  called.assert(
    difference === undefined,
    `fields ${JSON.stringify(fields)}`,
    `fields in which ${difference}`,
  );
}

// An error is a response too: what the service says in it, the caller gets, unless the driver declares that the client has no place for it.
export const errorDetailChecks: ClientCheck[] = [
  check("ERR-4", "an error has the fields of its response, with all messages of each", [
    testCase("", { operation: "sendEmail" }, (tester) =>
      assertFields(tester, "sendEmail", {
        template_id: ["Is unknown: „Zoë 🎂“.", "Must not be used with html."],
        "headers.X-Campaign": ["Must not contain line breaks."],
        "attachments.0.content_type": [""],
      }),
    ),
  ]),
  check("BATCH-8", "the fields of an error of a batch have the positions of the messages", [
    testCase("", { operation: "sendBatch" }, (tester) =>
      assertFields(tester, "sendBatch", {
        "emails.0.subject": ["Is required."],
        "emails.7.reply_to": ["Must be an email address.", "Is too long."],
        "emails.99.tags.a:b": ["Must be a string."],
      }),
    ),
  ]),
  check(["ERR-5", "HEAD-1"], "an error has the request id of its response", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      assertReturns(tester, "requestId");
      const called = await tester.call("getEmail", { path: { id: "msg_none" } });
      assertError(called.about("ERR-2"), 404);
      const id = called.wire[0]?.response?.headers["x-service-request-id"];
      called.assert(called.error.requestId === id, `the request id ${id}`);
    }),
  ]),
  check(["ERR-4", "HEAD-1"], "an error has no fields and no request id of an earlier one", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      for (const property of ["fields", "requestId"] as const) assertReturns(tester, property);
      const first = errorResponse(422, "invalid_request", { fields: { subject: ["Is required."] } });
      const { requestId } = (await callWith(tester, "sendEmail", first)).error;
      for (const made of [response(403), errorResponse(403, "forbidden")]) {
        const called = await callWith(tester, "sendEmail", made, { body: newMessage() });
        const { fields, requestId: later } = called.error;
        const names = Object.keys(fields ?? {}).join(", ");
        called.about("ERR-4").assert(names === "", "no fields, as in the response", names);
        called.about("HEAD-1").assert(later == null || later !== requestId, "no earlier id", String(later));
      }
    }),
  ]),
];

/** What services and what stands in front of them respond with when they fail. */
type Failure = [title: string, operation: OperationId, made: WireResponse];

const soon = { headers: { "retry-after": "0" } };
const errors500: Failure[] = [
  ["500 without a body", "listNewsletterLists", response(500)],
  ["500 with other JSON", "cancelEmail", response(500, { body: { status: "down" } })],
  ["500 with an HTML body", "unsubscribeContact", response(500, htmlPage)],
];
const errors502And503: Failure[] = [
  ["502 with an HTML body", "rescheduleEmail", response(502, htmlPage)],
  ["503 without a body", "cancelEmail", response(503)],
  ["503 with the error object", "unsubscribeContact", errorResponse(503, "service_unavailable", soon)],
];

const failing = (failures: Failure[]): TestCase<ClientTester>[] =>
  failures.map(([title, operation, made]) =>
    testCase(title, { operation }, async (tester) => {
      const options = { title: `responds with ${title}`, replyTimeout: retryTimeout };
      const called = await callWith(tester, operation, made, options);
      assertError(called, made.status);
      adviseBackoff(tester, called);
    }),
  );

export const failureChecks = waiting([
  check("ERR-13", "a 502 or 503 is an error with its status, whatever its body", failing(errors502And503)),
  check("ERR-14", "a 500 without the error object is an error with its status", failing(errors500)),
]);
