import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { differenceOf } from "../engine/compare.ts";
import { isKnownEvent } from "../engine/reply-checks.ts";
import { addsUnknown, errorResponse, respondsWith, response } from "../service/disturbances.ts";
import { sampleCall } from "../support/calls.ts";
import { successExamples } from "../support/examples.ts";
import { byProduct } from "../support/products.ts";
import { finalError } from "../support/replies.ts";

const at = "2027-01-31T08:45:00Z";
const events = [
  { type: "opened_by_robot", at, detail: "Robot 7" },
  { type: "", at, detail: null },
  { type: "delivered.v2", at, detail: "{}" },
];

/** Errors that the document does not have, with what they must not be taken for. */
const errors = [
  { status: 400, type: "malformed_request" },
  { status: 403, type: "region_blocked" },
  { status: 409, type: "not_archivable" },
  { status: 422, type: "invalid_request_2" },
  { status: 429, type: "daily_limit" },
  { status: 451, type: "RATE_LIMITED" },
];

export const unknownTypeChecks: ClientCheck[] = [
  check(
    "GEN-11",
    "a message with events of unknown types is returned",
    successExamples("getEmail")
      .filter(([name]) => name === "sent" || name === "bounced")
      .map(([name, body]) =>
        testCase(`a ${name} message`, { operation: "getEmail" }, async (tester) => {
          const own = (body as { events: unknown[] }).events;
          const made = response(200, {
            body: { ...(body as object), events: [events[0], ...own, ...events] },
          });
          const disturb = [respondsWith(made, "responds with unknown event types")];
          const called = await tester.call("getEmail", { path: { id: "msg_events" }, disturb });
          const { events: found } = Object(called.result) as { events?: unknown };
          const known = Array.isArray(found) ? found.filter(isKnownEvent) : found;
          const difference = differenceOf(own, known, { lenient: true });
          called.assert(
            difference === undefined,
            "the known events as they are",
            `events in which, without those of unknown types, ${difference}`,
          );
        }),
      ),
  ),
  check(
    "GEN-12",
    "an error of an unknown type is an error with its status",
    byProduct(async (tester, ids) => {
      for (const operation of ids)
        for (const { status, type } of errors) {
          const made = errorResponse(status, type, { fields: { later: ["Was added later."] } });
          const called = await tester.call(operation, {
            ...sampleCall(operation),
            disturb: Array(20).fill(respondsWith(made, `responds with ${status} ${type}`)),
          });
          const error = finalError(called);
          const isRight = error.kind === "response" && error.status === status;
          called.assert(isRight, `an error with status ${status}`);
          called.assert((error.type ?? type) === type, `the type ${type}, or none`);
        }
    }),
  ),
  check("GEN-10", "unknown properties of an error change nothing", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      const called = await tester.call("getEmail", { path: { id: "msg_none" }, disturb: [addsUnknown] });
      const { status, type } = called.error;
      called.assert(status === 404 && type === "not_found", "an error 404 not_found");
    }),
  ]),
];
