import type { OperationId } from "../../../generated/operations.ts";
import type { TestCase } from "../../engine/check.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import type { ClientTester } from "../engine/client-tester.ts";
import { errorResponse, respondsWith, response } from "../service/disturbances.ts";
import type { WireResponse } from "../service/wire.ts";
import { sampleCall } from "../support/calls.ts";
import { adviseBackoff } from "../support/pauses.ts";
import { assertError, htmlPage, retryTimeout } from "../support/replies.ts";

/** What services and what stands in front of them respond with when they fail. */
interface Failure {
  title: string;
  operation: OperationId;
  made: WireResponse;
}

const errors500: Failure[] = [
  { title: "500 without a body", operation: "listNewsletterLists", made: response(500) },
  {
    title: "500 with other JSON",
    operation: "cancelEmail",
    made: response(500, { body: { status: "down" } }),
  },
  { title: "500 with an HTML body", operation: "unsubscribeContact", made: response(500, htmlPage) },
];

const otherErrors: Failure[] = [
  { title: "502 with an HTML body", operation: "rescheduleEmail", made: response(502, htmlPage) },
  { title: "503 without a body", operation: "cancelEmail", made: response(503) },
  {
    title: "503 with the error object",
    operation: "unsubscribeContact",
    made: errorResponse(503, "service_unavailable", { headers: { "retry-after": "0" } }),
  },
];

/** Cases in which every request of a call fails. */
const failing = (failures: Failure[]): TestCase<ClientTester>[] =>
  failures.map(({ title, operation, made }) =>
    testCase(title, { operation }, async (tester) => {
      const called = await tester.call(operation, {
        ...sampleCall(operation),
        disturb: Array(20).fill(respondsWith(made, `responds with ${title}`)),
        replyTimeout: retryTimeout,
      });
      assertError(called, made.status);
      adviseBackoff(tester, called);
    }),
  );

export const failureChecks: ClientCheck[] = [
  check("ERR-13", "a 502 or 503 is an error with its status, whatever its body", failing(otherErrors), {
    waits: true,
  }),
  check("ERR-14", "a 500 without the error object is an error with its status", failing(errors500), {
    waits: true,
  }),
];
