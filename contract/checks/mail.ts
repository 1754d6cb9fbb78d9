import { hash } from "node:crypto";
import type { Attachment, Email } from "postal-mime";
import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { format } from "../support/assertions.ts";
import { inOneLine, mailNeeds, sentAndReceived } from "../support/mail.ts";
import { newRecipient, sender, sends } from "../support/messages.ts";
import { mailConfirmation } from "./mail-confirmation.ts";
import { mailCopies } from "./mail-copies.ts";
import { mailTemplates } from "./mail-templates.ts";

/** A part of a received message contains what was sent; a server may add to it, such as a footer. */
function assertContains(tester: Tester, part: string, found: string | undefined, sent: string): void {
  assert(inOneLine(found).includes(sent), tester.exchanges.at(-1), {
    expected: `a message whose ${part} contains ${format(sent)}`,
    found: found === undefined ? `a message without ${part}` : format(found),
  });
}

const htmlPart = "HTML part";
const textPart = "plain-text part";
const paragraph = (tester: Tester): string => `<p>Bread ${tester.run.unique()}</p>`;
const line = (tester: Tester): string => `Brötchen, 2 € each: ${tester.run.unique()}`;

/** One message on its own and one in a batch, with both bodies, and one with the body of the requirement only. */
const bodyCases = (
  only: (tester: Tester) => Record<string, unknown>,
  assertBody: (tester: Tester, mail: Email, sent: Record<string, unknown>) => void,
): TestCase[] => [
  ...sends.map((operation) =>
    testCase(
      `${operation} with html and text`,
      { operation, core: operation === "sendEmail" },
      async (tester) => {
        const sent = { html: paragraph(tester), text: line(tester) };
        assertBody(tester, await sentAndReceived(tester, sent, operation), sent);
      },
    ),
  ),
  testCase("on its own", { operation: "sendEmail", core: false }, async (tester) => {
    const sent = only(tester);
    assertBody(tester, await sentAndReceived(tester, sent), sent);
  }),
];

/** Where a mail client sends replies. */
const repliesTo = ({ replyTo, from }: Email): string[] =>
  (replyTo?.length ? replyTo : from === undefined ? [] : [from]).map(({ address = "" }) => address);

function assertReplies(tester: Tester, mail: Email, address: string): void {
  const found = repliesTo(mail);
  assert(found.length === 1 && found[0]?.toLowerCase() === address.toLowerCase(), tester.exchanges.at(-1), {
    expected: `replies to ${address}`,
    found: `replies to ${found.join(", ") || "nobody"}`,
  });
}

/** A picture of one pixel. */
const pixel = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

const bytesOf = ({ content }: Attachment): string =>
  typeof content === "string" ? btoa(content) : Buffer.from(new Uint8Array(content)).toString("base64");

const nameOfFile = "prices.pdf";

/** The file with the sent content. */
function fileIn(tester: Tester, { attachments }: Email, content: string): Attachment {
  const found = attachments.find((one) => bytesOf(one) === content);
  assert(found !== undefined, tester.exchanges.at(-1), {
    expected: "a message with the attached file, byte by byte",
    found: `${attachments.length} files of other content`,
  });
  return found;
}

const sendingChecks: Check[] = withNeeds(mailNeeds, [
  check(
    "SEND-11",
    "html arrives as the HTML body",
    bodyCases(
      (tester) => ({ html: paragraph(tester), text: undefined }),
      (tester, { html }, sent) => assertContains(tester, htmlPart, html, String(sent.html)),
    ),
  ),
  check(
    "SEND-12",
    "text arrives as the plain-text body",
    bodyCases(
      (tester) => ({ text: line(tester) }),
      (tester, { text }, sent) => assertContains(tester, textPart, text, String(sent.text)),
    ),
  ),
  check("SEND-17", "replies go to reply_to, without it to the sender", [
    ...sends.map((operation) =>
      testCase(
        `${operation} with reply_to`,
        { operation, core: operation === "sendEmail" },
        async (tester) => {
          const reply_to = newRecipient(tester);
          assertReplies(tester, await sentAndReceived(tester, { reply_to }, operation), reply_to);
        },
      ),
    ),
    testCase("without reply_to", { operation: "sendEmail", core: true }, async (tester) =>
      assertReplies(tester, await sentAndReceived(tester, {}), sender(tester)),
    ),
  ]),
  check("SEND-24", "extra headers arrive with the message", async (tester) => {
    const headers = {
      "X-Contract-Check": tester.run.unique(),
      "List-Unsubscribe": `<https://example.com/leave/${tester.run.unique()}>`,
    };
    const received = await sentAndReceived(tester, { headers });
    for (const [name, value] of Object.entries(headers)) {
      const values = received.headers.filter(({ key }) => key === name.toLowerCase()).map((one) => one.value);
      assert(values.map(inOneLine).includes(value), tester.exchanges.at(-1), {
        expected: `a message with the header ${name}: ${value}`,
        found: `${values.join(", ") || "no such header"}`,
      });
    }
  }),
  check("ATT-10", "the HTML body of a message refers to a file with a content_id", async (tester) => {
    const file = { filename: "logo.gif", content: pixel, content_type: "image/gif", content_id: "logo" };
    const html = '<p><img src="cid:logo" alt="Logo"></p>';
    const received = await sentAndReceived(tester, { html, attachments: [file] });
    const { contentId = "none" } = fileIn(tester, received, pixel);
    const [, referred = "nothing"] = /src=["']?cid:([^"'\s>]+)/i.exec(received.html ?? "") ?? [];
    assert(`<${decodeURIComponent(referred)}>` === contentId, tester.exchanges.at(-1), {
      expected: "a file with the content id that the HTML part refers to",
      found: `the content id ${contentId}, while the HTML part refers to ${referred}`,
    });
  }),
  check("ATT-12", "a file without content_type arrives as application/octet-stream", async (tester) => {
    const content = Buffer.from(`Prices ${tester.run.unique()}`).toString("base64");
    const received = await sentAndReceived(tester, { attachments: [{ filename: nameOfFile, content }] });
    const { mimeType } = fileIn(tester, received, content);
    assert(mimeType === "application/octet-stream", tester.exchanges.at(-1), {
      expected: "a file of the media type application/octet-stream",
      found: mimeType,
    });
  }),
  check(
    "ATT-6",
    "a file given by a link arrives with its content",
    async (tester) => {
      const { attachmentLink, attachmentHash = "" } = tester.settings.fixtures;
      const attachments = [{ filename: nameOfFile, path: attachmentLink }];
      const received = await sentAndReceived(tester, { attachments });
      const found = received.attachments.map((file) => hash("sha256", Buffer.from(bytesOf(file), "base64")));
      assert(found.includes(attachmentHash.toLowerCase()), tester.exchanges.at(-1), {
        expected: `a message with the file of the SHA-256 hash ${attachmentHash}`,
        found: found.length === 0 ? "no files" : `files of the hashes ${found.join(", ")}`,
      });
    },
    { needs: ["attachmentLink", "attachmentHash"] },
  ),
]);

export const mail: Check[] = [...sendingChecks, ...mailCopies, mailTemplates, mailConfirmation];
