import { type ClientCheck, check, testCase, waiting } from "../engine/client-tester.ts";
import { whySecret } from "../engine/reply-checks.ts";
import { closesBefore, redirectsTo } from "../service/disturbances.ts";
import { withClosedPort, withOtherHost, withSilentPort, withUntrustedHost } from "../service/listeners.ts";
import { finalError } from "../support/assertions.ts";
import { anyCall, responseExample, sampleCall } from "../support/samples.ts";

const redirects = [301, 302, 303, 307, 308];

// That no request and no output contains the key is checked in every call: these cases provoke it.
export const exposureChecks: ClientCheck[] = [
  check(
    "AUTH-6",
    "a redirect does not take the API key to another host",
    // Calls that another host could respond to.
    (["getEmail", "sendEmail"] as const).map((operation) =>
      testCase(operation, { operation }, (tester) =>
        withOtherHost(responseExample(operation), async (url, requests) => {
          for (const status of redirects) {
            const disturb = Array(20).fill(redirectsTo(url, status));
            const called = await tester.call(operation, { ...sampleCall(operation), disturb });
            const leak = requests.find((request) => request.includes(tester.service.key));
            called.assert(leak === undefined, `no API key at the other host: it is ${whySecret}`, leak ?? "");
          }
          if (requests.length > 0)
            tester.information.add("The client follows redirects to other hosts, with what it sends.");
        }),
      ),
    ),
  ),
  check("AUTH-6", "an error without a response does not show the API key", { waits: true }, [
    testCase("the service closes the connection", async (tester) => {
      const [operation, options] = anyCall(tester);
      finalError(await tester.call(operation, { ...options, disturb: Array(20).fill(closesBefore) }));
    }),
    testCase("nothing listens", (tester) =>
      withClosedPort(async (port) => {
        void (await tester.callAt(`http://127.0.0.1:${port}`, ...anyCall(tester))).error;
      }),
    ),
  ]),
];

/** The first byte of a TLS connection: a record with a handshake. */
const tlsHandshake = 0x16;

export const encryptionChecks = waiting([
  check("GEN-2", "a client with an https URL sends nothing unencrypted", (tester) =>
    withSilentPort(async (port, first) => {
      const called = await tester.callAt(`https://127.0.0.1:${port}`, ...anyCall(tester));
      called.assert(first.length > 0, "a connection", `none, and the error ${called.error.kind}`);
      const plain = first.find(([byte]) => byte !== tlsHandshake);
      called.assert(
        plain === undefined,
        "connections that begin with a TLS handshake",
        JSON.stringify(plain?.subarray(0, 60).toString("latin1")),
      );
    }),
  ),
  check("GEN-2", "a client sends nothing to a server whose certificate nobody trusts", (tester) =>
    withUntrustedHost(async (port, requests) => {
      const called = await tester.callAt(`https://127.0.0.1:${port}`, ...anyCall(tester));
      called.assert(requests.length === 0, "no request", requests.join(", "));
      void called.error;
    }),
  ),
]);
