import { AssertionFailure, assert, NotVerified } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { format } from "../support/assertions.ts";
import { confirmationLinks, type OpenedPage, openLink, submitForms } from "../support/confirmation-links.ts";
import {
  addContact,
  assertRecent,
  listId,
  lookUpContact,
  membership,
  needsOptInList,
} from "../support/contacts.ts";
import { receivedBy } from "../support/mail.ts";

interface Confirming {
  email: string;
  list: number;
}

/** Opens one link after the other, and submits the forms of its page, until the contact is no longer pending. */
async function openUntilConfirmed(tester: Tester, links: string[], contact: Confirming) {
  const { fetch } = tester.run.transport;
  const visit = { fetch, deadline: tester.settings.deadlines.response };
  const pages: OpenedPage[] = [];
  for (const link of links) {
    const page = await openLink(link, visit);
    pages.push(page);
    for (const submit of [undefined, ...submitForms(page, visit)]) {
      if (submit !== undefined) pages.push(await submit());
      const found = await lookUpContact(tester, contact.email);
      if (statusIn(found, contact) !== "pending") return { pages, found };
    }
  }
  const found = await tester.until(
    () => lookUpContact(tester, contact.email),
    (record) => statusIn(record, contact) !== "pending",
    tester.settings.deadlines.dispatch,
  );
  return { pages, found };
}

const statusIn = (record: Exchange, { list }: Confirming): unknown => membership(record, list).status;

/** A page may need a browser to confirm, for its script or a form that only it accepts: this is no fault. */
const needsBrowser = ({ html, isOfForm, status = 0 }: OpenedPage): boolean =>
  html?.text.includes("<script") === true || (isOfForm === true && status >= 400);

function assertConfirmed(tester: Tester, pages: OpenedPage[], found: Exchange, contact: Confirming): void {
  const status = statusIn(found, contact);
  const notes = pages.map(({ note }) => note).join("; ");
  if (status === "subscribed") {
    assertRecent(tester, found, "subscribed_at", membership(found, contact.list).subscribed_at);
    return;
  }
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
export const mailConfirmation: Check = check(
  "MEMB-12",
  "a new contact of a list with double opt-in gets an email with a link that confirms",
  async (tester) => {
    const list = listId(tester, "doubleOptIn");
    const contact = { email: await addContact(tester, {}, list), list };
    const received = await receivedBy(tester, contact.email);
    const links = confirmationLinks(received);
    assert(links.length > 0, tester.exchanges.at(-1), {
      expected: "a confirmation email with a link",
      found: format(received.text || received.html),
    });
    const { pages, found } = await openUntilConfirmed(tester, links, contact);
    assertConfirmed(tester, pages, found, contact);
  },
  { needs: ["mailbox", "contactDomain", ...needsOptInList] },
);
