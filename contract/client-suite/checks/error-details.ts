import type { OperationId } from "../../../generated/operations.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import type { ClientTester } from "../engine/client-tester.ts";
import { differenceOf } from "../engine/compare.ts";
import { errorResponse, respondsWith } from "../service/disturbances.ts";
import { sampleCall } from "../support/calls.ts";
import { assertError, mustReturn } from "../support/replies.ts";

/** Asserts that the error of a call has the fields of the response. */
async function assertFields(
  tester: ClientTester,
  operation: OperationId,
  fields: Record<string, string[]>,
): Promise<void> {
  mustReturn(tester, "fields");
  const made = errorResponse(422, "invalid_request", { fields });
  const disturb = Array(20).fill(respondsWith(made));
  const called = await tester.call(operation, { ...sampleCall(operation), disturb });
  assertError(called.about("ERR-2"), 422);
  const difference = differenceOf(fields, called.error.fields ?? {});
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
        template_id: ["Is unknown.", "Must not be used with html."],
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
      mustReturn(tester, "requestId");
      const called = await tester.call("getEmail", { path: { id: "msg_none" } });
      assertError(called.about("ERR-2"), 404);
      const id = called.wire[0]?.response?.headers["x-service-request-id"];
      called.assert(called.error.requestId === id, `the request id ${id}`);
    }),
  ]),
];
