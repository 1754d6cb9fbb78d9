import { limits } from "../../generated/limits.ts";
import { NotVerified } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import { Unreachable } from "../engine/http.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import hostile from "../generated-cases/hostile-values.json" with { type: "json" };
import { assertError, assertRejected, assertSuccess } from "../support/assertions.ts";
import { emailNeeds, message } from "../support/messages.ts";
import { assertNothingChanges } from "../support/unchanged.ts";

/** Hosts outside public networks: the edges of each range, names, and what parsers of URLs and of addresses read as one of them. */
const privateLinks: TestCase[] = hostile.privateHosts.map((host, index) =>
  testCase(host, { core: index === 0 }, async (tester) => {
    const attachments = [{ filename: "terms.pdf", path: `https://${host}/terms.pdf` }];
    const exchange = await tester.request("sendEmail", { body: message(tester, { attachments }) });
    assertRejected(exchange, "attachments");
  }),
);

/** In bytes, with the smaller of the two possible meanings of a megabyte. */
const limit = limits.messageSize * 1_000_000;

/** Text of this share of the limit. */
const textOf = (share: number): string => "Bread. ".repeat((share * limit) / 7);

/** The parts of a message before encoding, as shares of the limit. */
interface Sizes {
  /** Every second file is an inline image. */
  files: number[];
  html: number;
  text?: number;
}

const messageOfSize = (tester: Tester, { files, html, text }: Sizes): Record<string, unknown> =>
  message(tester, {
    html: `<p>${textOf(html)}</p>`,
    ...(text !== undefined && { text: textOf(text) }),
    attachments: files.map((size, index) => ({
      filename: `${index + 1}.bin`,
      // Base64 turns three bytes into four characters; "AAAA" is three zero bytes.
      content: "AAAA".repeat(Math.floor((size * limit) / 3)),
      ...(index % 2 === 1 && { content_id: `file-${index + 1}` }),
    })),
  });

/** Clearly within the limit, whichever way a server counts. */
const within: Record<string, Sizes> = {
  "attachments of 60 %, html and text of 7 % of the limit": { files: [0.3, 0.3], html: 0.07, text: 0.07 },
  "attachments of 70 %, and nearly all of the limit as base64,": { files: [0.35, 0.35], html: 0.004 },
};
// Within the limit without the html or the text, and clearly beyond it in all.
const bodiesBeyond: Sizes = { files: [0.09, 0.09], html: 0.71, text: 0.71 };
// Within the limit without the attachments or the inline one of them, and if html is counted on its own.
const attachmentsBeyond: Sizes = { files: [0.04, 0.68], html: 0.89 };

async function sendTooLarge(tester: Tester, sizes: Sizes): Promise<Exchange> {
  const request = tester.request("sendEmail", { body: messageOfSize(tester, sizes) });
  const exchange = await request.catch((error: unknown) => {
    // A server may close the connection while the body is still being sent; its response is then lost.
    throw error instanceof Unreachable && error.known.isLate !== true
      ? new NotVerified(error.message)
      : error;
  });
  assertError(exchange, 413, "send_rejected", "attachments", "html", "text");
  return exchange;
}

export const attachments: Check[] = withNeeds(emailNeeds, [
  check("ATT-9", "an attachment whose path points into a private network is rejected", privateLinks),
  check(
    "ATT-13",
    "a message that is too large with its attachments is rejected with 413 send_rejected, a smaller one is accepted",
    { tags: ["slow"] },
    [
      ...Object.entries(within).map(([title, sizes]) =>
        testCase(`${title} are accepted`, { core: false }, async (tester) =>
          assertSuccess(await tester.request("sendEmail", { body: messageOfSize(tester, sizes) })),
        ),
      ),
      testCase("attachments of 18 %, html and text of 71 % are rejected", { core: false }, (tester) =>
        sendTooLarge(tester, bodiesBeyond),
      ),
    ],
  ),
  check(
    ["ATT-13", "LIMIT-5"],
    "a message that is too large with its attachments is not sent and not counted",
    { tags: ["slow"], alone: true },
    [
      testCase("attachments of 72 % and html of 89 % of the limit", { core: false }, (tester) =>
        assertNothingChanges(tester, "sends", [(own) => sendTooLarge(own, attachmentsBeyond)]),
      ),
    ],
  ),
]);
