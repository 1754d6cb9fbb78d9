import { NotVerified } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import { Unreachable } from "../engine/http.ts";
import type { Tester } from "../engine/tester.ts";
import { assertError, assertRejected, assertSuccess } from "../support/assertions.ts";
import { emailNeeds, message } from "../support/messages.ts";

/** Hosts that are in no public network, by what they are. */
const privateHosts = {
  "a private network": "10.0.0.1",
  "another private network": "192.168.1.1",
  "a third private network": "172.16.0.1",
  "the machine itself": "127.0.0.1",
  "the machine itself, by name": "localhost",
  "the machine itself, in IPv6": "[::1]",
  "the link-local network": "169.254.169.254",
  "a private network in IPv6": "[fd00::1]",
} as const;

const privateLinks: TestCase[] = Object.entries(privateHosts).map(([title, host], index) =>
  testCase(title, { core: index === 0 }, async (tester) => {
    const attachments = [{ filename: "terms.pdf", path: `https://${host}/terms.pdf` }];
    const exchange = await tester.request("sendEmail", { body: message(tester, { attachments }) });
    assertRejected(exchange);
  }),
);

/** A megabyte as the smaller of the two that it may be, and as the larger. */
const megabyte = 1_000_000;

/** A message with so many megabytes in two attachments, before they are base64. */
function messageOfSize(tester: Tester, megabytes: number): Record<string, unknown> {
  // Three bytes are four characters of base64: zeros, which are A.
  const content = "A".repeat(
    ((megabytes / 2) * megabyte * 4) / 3 - ((((megabytes / 2) * megabyte * 4) / 3) % 4),
  );
  return message(tester, {
    attachments: ["one.bin", "two.bin"].map((filename) => ({ filename, content })),
  });
}

/** Clearly within the limit, and clearly beyond it, whichever way it is counted. In megabytes. */
const within = 20;
const beyond = 45;

export const attachments: Check[] = [
  check("ATT-9", "an attachment whose path leads into a private network is refused", privateLinks, {
    needs: emailNeeds,
  }),
  check(
    "ATT-13",
    "a message that is too large with its attachments is refused with 413 send_rejected, and another one is taken",
    [
      testCase(`${within} MB are taken`, { core: false }, async (tester) =>
        assertSuccess(await tester.request("sendEmail", { body: messageOfSize(tester, within) })),
      ),
      testCase("long content is taken", { core: false }, async (tester) => {
        const text = "All that was ordered. ".repeat(100_000);
        assertSuccess(
          await tester.request("sendEmail", { body: message(tester, { text, html: `<p>${text}</p>` }) }),
        );
      }),
      testCase(`${beyond} MB are refused`, { core: false }, async (tester) => {
        const options = tester.request("sendEmail", { body: messageOfSize(tester, beyond) });
        const exchange = await options.catch((error: unknown) => {
          // A server may hang up on who goes on sending: then its response is lost.
          throw error instanceof Unreachable ? new NotVerified(error.message) : error;
        });
        assertError(exchange, 413, "send_rejected");
      }),
    ],
    { needs: emailNeeds, tags: ["slow"] },
  ),
];
