import type { OperationId } from "../../../generated/operations.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { whySecret } from "../engine/output-checks.ts";
import { closesBefore, redirectsTo } from "../service/disturbances.ts";
import { withClosedPort, withOtherHost } from "../service/listeners.ts";
import { anyCall, newMessage, sampleCall } from "../support/calls.ts";
import { responseExample } from "../support/examples.ts";
import { finalError } from "../support/replies.ts";

const redirects = [301, 302, 303, 307, 308];

/** Calls that another host could respond to. */
const redirected: OperationId[] = ["getEmail", "sendEmail"];

// That no request and no output contains the key is checked in every call: these cases provoke it.
export const exposureChecks: ClientCheck[] = [
  check(
    "AUTH-6",
    "a redirect does not take the API key to another host",
    redirected.map((operation) =>
      testCase(operation, { operation }, (tester) =>
        withOtherHost(responseExample(operation), async (url, requests) => {
          for (const status of redirects) {
            const body = operation === "sendEmail" ? { body: newMessage() } : {};
            const called = await tester.call(operation, {
              ...sampleCall(operation),
              ...body,
              disturb: Array(20).fill(redirectsTo(url, status)),
            });
            const leak = requests.find((request) => request.includes(tester.key));
            called.assert(leak === undefined, `no API key at the other host: it is ${whySecret}`, leak ?? "");
          }
          if (requests.length > 0)
            tester.information.add("The client follows redirects to other hosts, with what it sends.");
        }),
      ),
    ),
  ),
  check(
    "AUTH-6",
    "an error without a response does not show the API key",
    [
      testCase("the service closes the connection", async (tester) => {
        const [operation, options] = anyCall(tester);
        finalError(await tester.call(operation, { ...options, disturb: Array(20).fill(closesBefore) }));
      }),
      testCase("nothing listens", (tester) =>
        withClosedPort(async (port) => {
          const called = await tester.callAt(`http://127.0.0.1:${port}`, ...anyCall(tester));
          void called.error;
        }),
      ),
    ],
    { waits: true },
  ),
];
