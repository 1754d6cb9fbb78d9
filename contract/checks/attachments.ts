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

/** The smaller of the two possible meanings of a megabyte. */
const megabyte = 1_000_000;

/** Text of this size in megabytes. */
const textOf = (megabytes: number): string => "Bread. ".repeat((megabytes * megabyte) / 7);

/** Megabytes of a message before encoding. */
interface Sizes {
  /** Every second file is an inline image. */
  files: number[];
  html: number;
  text?: number;
}

function messageOfSize(tester: Tester, { files, html, text }: Sizes): Record<string, unknown> {
  return message(tester, {
    html: `<p>${textOf(html)}</p>`,
    ...(text !== undefined && { text: textOf(text) }),
    attachments: files.map((size, index) => ({
      filename: `${index + 1}.bin`,
      // Base64 turns three bytes into four characters; "AAAA" is three zero bytes.
      content: "AAAA".repeat((size * megabyte) / 3),
      ...(index % 2 === 1 && { content_id: `file-${index + 1}` }),
    })),
  });
}

/** 20 MB, clearly within the limit, and 45 MB, clearly beyond it, whichever way a server counts. */
const within: Record<string, Sizes> = {
  "16 MB of attachments, 2 MB of html and 2 MB of text": { files: [8, 8], html: 2, text: 2 },
  // As base64, more than 25 MB.
  "20 MB of attachments": { files: [9.9, 9.9], html: 0.1 },
};
// Within the limit without the html or the text, and without a sum of all.
const bodiesBeyond: Sizes = { files: [2.5, 2.5], html: 20, text: 20 };
// Within the limit without the attachments or the inline one of them, and if html is counted on its own.
const attachmentsBeyond: Sizes = { files: [1, 19], html: 25 };

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
      testCase(
        "5 MB of attachments, 20 MB of html and 20 MB of text are rejected",
        { core: false },
        (tester) => sendTooLarge(tester, bodiesBeyond),
      ),
    ],
  ),
  check(
    ["ATT-13", "LIMIT-5"],
    "a message that is too large with its attachments is not sent and not counted",
    { tags: ["slow"], alone: true },
    [
      testCase("20 MB of attachments and 25 MB of html", { core: false }, (tester) =>
        assertNothingChanges(tester, "sends", [(own) => sendTooLarge(own, attachmentsBeyond)]),
      ),
    ],
  ),
]);
