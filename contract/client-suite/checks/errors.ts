import { type ErrorRow, errors as errorTable } from "../../../generated/errors.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { errorResponse, respondsWith, response } from "../service/disturbances.ts";
import { newMessage, sampleCall } from "../support/calls.ts";
import { byProduct } from "../support/products.ts";
import { assertError } from "../support/replies.ts";

/** The errors of an operation in the document that stay. */
const lastingErrors = (operation: OperationId): ErrorRow[] =>
  Object.values<ErrorRow>(errorTable).filter(
    ({ retry, operations }) => retry === "never" && operations.includes(operation),
  );

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
  check("CONT-26", "an unknown contact is an error, not a result", [
    testCase("", { operation: "getContact" }, async (tester) => {
      const called = await tester.call("getContact", { path: { email: "nobody@readers.example" } });
      assertError(called, 404);
    }),
  ]),
  check("ERR-3", "the message of an error changes neither its kind nor its type", [
    testCase("", { operation: "sendEmail" }, async (tester) => {
      for (const { status, type, message } of misleading) {
        const made = errorResponse(status, type, { message });
        const disturb = Array(20).fill(respondsWith(made, `responds with ${status}: ${message}`));
        const called = await tester.call("sendEmail", { body: newMessage(), disturb });
        assertError(called, status);
        // That it has a type at all is a requirement of its own.
        called.assert((called.error.type ?? type) === type, `an error of the type ${type}`);
      }
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
];
