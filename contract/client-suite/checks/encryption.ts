import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import { withSilentPort, withUntrustedHost } from "../service/listeners.ts";
import { anyCall } from "../support/calls.ts";

/** The first byte of a TLS connection: a record with a handshake. */
const tlsHandshake = 0x16;

export const encryptionChecks: ClientCheck[] = [
  check(
    "GEN-2",
    "a client with an https URL sends nothing unencrypted",
    [
      testCase("", (tester) =>
        withSilentPort(async (port, first) => {
          const called = await tester.callAt(`https://127.0.0.1:${port}`, ...anyCall(tester));
          const { error } = called;
          called.assert(first.length > 0, "a connection", `none, and the error ${error.kind}`);
          const plain = first.find(([byte]) => byte !== tlsHandshake);
          called.assert(
            plain === undefined,
            "connections that begin with a TLS handshake",
            JSON.stringify(plain?.subarray(0, 60).toString("latin1")),
          );
        }),
      ),
    ],
    { waits: true },
  ),
  check(
    "GEN-2",
    "a client sends nothing to a server whose certificate nobody trusts",
    [
      testCase("", (tester) =>
        withUntrustedHost(async (port, requests) => {
          const called = await tester.callAt(`https://127.0.0.1:${port}`, ...anyCall(tester));
          called.assert(requests.length === 0, "no request", requests.join(", "));
          void called.error;
        }),
      ),
    ],
    { waits: true },
  ),
];
