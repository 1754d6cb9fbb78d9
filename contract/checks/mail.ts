import { hash } from "node:crypto";
import type { Attachment, Email } from "postal-mime";
import { decoded } from "../../lib/text.ts";
import { AssertionFailure, assert, NotVerified } from "../engine/assert.ts";
import { type Check, check, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { format, type Json } from "../support/assertions.ts";
import {
  addContact,
  assertRecent,
  listId,
  lookUpContact,
  membership,
  needsOptInList,
  untilConfirmed,
} from "../support/contacts.ts";
import {
  bytesOf,
  confirmationLinks,
  mailNeeds,
  type OpenedPage,
  openLink,
  receivedBy,
  sentAndReceived,
  submitForms,
} from "../support/mail.ts";
import { arrivals } from "../support/scheduled-messages.ts";

const pixel = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const otherPixel = pixel.replace("AAAAAP", "AAAA//");

function fileIn(tester: Tester, { attachments }: Email, content: string): Attachment {
  const found = attachments.find((one) => bytesOf(one) === content);
  assert(found !== undefined, tester.exchanges.at(-1), {
    expected: "a message with the attached file, byte by byte",
    found: `${attachments.length} files of other content`,
  });
  return found;
}

/** The names of the headers that show an email address to a recipient. */
async function headersWith(tester: Tester, email: string, recipient: string): Promise<string[]> {
  const { headers } = await receivedBy(tester, recipient);
  // Mailpit adds the recipients that no header has.
  const isOfServer = ({ key }: { key: string }) => tester.run.mailbox?.addsBcc !== true || key !== "bcc";
  return headers
    .filter((header) => isOfServer(header) && header.value.toLowerCase().includes(email.toLowerCase()))
    .map(({ key }) => key);
}

/** The first recipients in these fields. */
const firstOf = (sent: Json, ...names: string[]) => names.map((name) => String([sent[name]].flat()[0]));

const sendingChecks: Check[] = withNeeds(mailNeeds, [
  check("ATT-10", "the HTML body of a message refers to its files with a content_id", async (tester) => {
    // As mail programs write them.
    const files = [pixel, otherPixel].map((content, index) => ({
      ...{ filename: `logo-${index}.gif`, content, content_type: "image/gif" },
      content_id: `logo+${index}@bakery.example`,
    }));
    const html = files.map(({ content_id }) => `<p><img src="cid:${content_id}" alt="Logo"></p>`).join("");
    const received = await sentAndReceived(tester, { html, attachments: files });
    const references = [...(received.html ?? "").matchAll(/src=["']?cid:([^"'\s>]+)/gi)];
    for (const [index, { content }] of files.entries()) {
      const { contentId = "none" } = fileIn(tester, received, content);
      const referred = references[index]?.[1] ?? "nothing";
      assert(`<${decoded(referred)}>` === contentId, tester.exchanges.at(-1), {
        expected: `file ${index + 1} with the content id that the HTML part refers to`,
        found: `the content id ${contentId}, while the HTML part refers to ${referred}`,
      });
    }
  }),
  check(
    "ATT-6",
    "a file given by a link arrives with its content",
    { needs: ["attachmentLink", "attachmentHash"] },
    async (tester) => {
      const { attachmentLink, attachmentHash = "" } = tester.settings.fixtures;
      const attachments = [{ filename: "prices.pdf", path: attachmentLink }];
      const received = await sentAndReceived(tester, { attachments });
      const found = received.attachments.map((file) => hash("sha256", Buffer.from(bytesOf(file), "base64")));
      assert(found.includes(attachmentHash.toLowerCase()), tester.exchanges.at(-1), {
        expected: `a message with the file of the SHA-256 hash ${attachmentHash}`,
        found: found.length === 0 ? "no files" : `files of the hashes ${found.join(", ")}`,
      });
    },
  ),
  check(
    "SEND-18",
    "recipients in cc get the message, and the others see them",
    arrivals(async (tester, sent) => {
      const [to = "", email = ""] = firstOf(sent, "to", "cc");
      await receivedBy(tester, email);
      const found = await headersWith(tester, email, to);
      assert(found.includes("cc"), tester.exchanges.at(-1), {
        expected: `a message to ${to} with ${email} in the header Cc`,
        found: found.length === 0 ? "it in no header" : `it in ${found.join(", ")}`,
      });
    }),
  ),
  check(
    "SEND-19",
    "recipients in bcc get the message, and the others do not see them",
    arrivals(async (tester, sent) => {
      const [email = "", ...others] = firstOf(sent, "bcc", "to", "cc");
      await receivedBy(tester, email);
      for (const other of others) {
        const found = await headersWith(tester, email, other);
        assert(found.length === 0, tester.exchanges.at(-1), {
          expected: `a message to ${other} without ${email} in its headers`,
          found: `it in ${found.join(", ")}`,
        });
      }
    }),
  ),
]);

/** Opens one link after the other, and submits the forms of its page, until the contact is no longer pending. */
async function openUntilConfirmed(tester: Tester, links: string[], email: string, list: number) {
  const visit = { fetch: tester.run.transport.fetch, deadline: tester.settings.deadlines.response };
  const pages: OpenedPage[] = [];
  for (const link of links) {
    const page = await openLink(link, visit);
    pages.push(page);
    for (const submit of [undefined, ...(await submitForms(page, visit))]) {
      if (submit !== undefined) pages.push(await submit());
      const found = await lookUpContact(tester, email);
      if (membership(found, list).status !== "pending") return { pages, found };
    }
  }
  return { pages, found: await untilConfirmed(tester, email, list) };
}

/** A page may need a browser to confirm, for its script or a form that only it accepts: this is no fault. */
const needsBrowser = ({ html, isOfForm, status = 0 }: OpenedPage): boolean =>
  html?.text.includes("<script") === true || (isOfForm === true && status >= 400);

function assertConfirmed(tester: Tester, pages: OpenedPage[], found: Exchange, list: number) {
  const { status } = membership(found, list);
  const notes = pages.map(({ note }) => note).join("; ");
  if (status === "subscribed") return assertRecent(found, "subscribed_at", list);
  if (status !== "pending")
    throw new NotVerified(
      `Opening the links of the confirmation email leads to ${format(status)}: ${notes}.`,
    );
  if (pages.every((page) => page.status === undefined))
    throw new NotVerified(`The links of the confirmation email cannot be opened: ${notes}.`);
  if (pages.some(needsBrowser)) {
    tester.information.add("a confirmation page that needs a web browser, so that the suite cannot confirm");
    return;
  }
  throw new AssertionFailure(found, {
    expected: "status subscribed after opening the links of the confirmation email",
    found: `pending: ${notes}`,
  });
}

/** All that a response can show is the status `pending`. */
const mailConfirmation: Check = check(
  "MEMB-12",
  "a new contact of a list with double opt-in gets an email with a link that confirms",
  { needs: ["mailbox", "contactDomain", ...needsOptInList] },
  async (tester) => {
    const list = listId(tester, "doubleOptIn");
    const email = await addContact(tester, {}, list);
    const received = await receivedBy(tester, email);
    const links = await confirmationLinks(received);
    assert(links.length > 0, tester.exchanges.at(-1), {
      expected: "a confirmation email with a link",
      found: format(received.text || received.html),
    });
    const { pages, found } = await openUntilConfirmed(tester, links, email, list);
    assertConfirmed(tester, pages, found, list);
  },
);

export const mail: Check[] = [...sendingChecks, mailConfirmation];
