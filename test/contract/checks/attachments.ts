import { NotVerified } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import { Unreachable } from "../engine/http.ts";
import type { Tester } from "../engine/tester.ts";
import { assertError, assertRejected, assertSuccess } from "../support/assertions.ts";
import { emailNeeds, message } from "../support/messages.ts";

/** Hosts outside public networks. */
const privateHosts = {
  "a private network": "10.0.0.1",
  "another private network": "192.168.1.1",
  "a third private network": "172.16.0.1",
  "loopback, IPv4": "127.0.0.1",
  "loopback, localhost": "localhost",
  "loopback, IPv6": "[::1]",
  "link-local": "169.254.169.254",
  "a private network, IPv6": "[fd00::1]",
} as const;

const privateLinks: TestCase[] = Object.entries(privateHosts).map(([title, host], index) =>
  testCase(title, { core: index === 0 }, async (tester) => {
    const attachments = [{ filename: "terms.pdf", path: `https://${host}/terms.pdf` }];
    const exchange = await tester.request("sendEmail", { body: message(tester, { attachments }) });
    assertRejected(exchange, "attachments");
  }),
);

/** The smaller of the two possible meanings of a megabyte. */
const megabyte = 1_000_000;

/** A message with attachments of this size before encoding, split over two files. */
function messageOfSize(tester: Tester, megabytes: number): Record<string, unknown> {
  // Base64 turns three bytes into four characters; "AAAA" is three zero bytes.
  const content = "A".repeat(
    ((megabytes / 2) * megabyte * 4) / 3 - ((((megabytes / 2) * megabyte * 4) / 3) % 4),
  );
  return message(tester, {
    attachments: ["one.bin", "two.bin"].map((filename) => ({ filename, content })),
  });
}

/** In megabytes: clearly within and clearly beyond the limit, whichever way a server counts. */
const within = 20;
const beyond = 45;

export const attachments: Check[] = withNeeds(emailNeeds, [
  check("ATT-9", "an attachment whose path points into a private network is rejected", privateLinks),
  check(
    "ATT-13",
    "a message that is too large with its attachments is rejected with 413 send_rejected, a smaller one is accepted",
    [
      testCase(`${within} MB are accepted`, { core: false }, async (tester) =>
        assertSuccess(await tester.request("sendEmail", { body: messageOfSize(tester, within) })),
      ),
      testCase("long html and text are accepted", { core: false }, async (tester) => {
        const text = "All that was ordered. ".repeat(100_000);
        assertSuccess(
          await tester.request("sendEmail", { body: message(tester, { text, html: `<p>${text}</p>` }) }),
        );
      }),
      testCase(`${beyond} MB are rejected`, { core: false }, async (tester) => {
        const options = tester.request("sendEmail", { body: messageOfSize(tester, beyond) });
        const exchange = await options.catch((error: unknown) => {
          // A server may close the connection while the body is still being sent; its response is then lost.
          throw error instanceof Unreachable ? new NotVerified(error.message) : error;
        });
        assertError(exchange, 413, "send_rejected", "attachments");
      }),
    ],
    { tags: ["slow"] },
  ),
]);
