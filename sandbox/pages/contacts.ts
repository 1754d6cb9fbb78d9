import { accountOf } from "../control/actions.ts";
import type { SiteAnswer } from "../control/answer.ts";
import type { Consent, Contact, Membership, NewsletterList } from "../domain/records.ts";
import { type Html, html, type Insert } from "./html.ts";
import { document, moment } from "./layout.ts";
import { accountChoice, nextPage, outside, rows, stateMark } from "./parts.ts";
import { chosenAccount, type Visit } from "./visit.ts";

const perPage = 50;

/** An account's lists, and who is on them. */
export async function contactsPage(visit: Visit): Promise<SiteAnswer> {
  const { parts, query } = visit;
  const directory = parts.directory();
  const account = accountOf(parts, chosenAccount(visit));
  const after = query.get("after");
  const found = await parts.store.contacts({
    accountId: account.id,
    limit: perPage + 1,
    ...(after === null ? {} : { after }),
  });
  const shown = found.slice(0, perPage);
  const lists = directory.lists(account.id);
  const content = html`<h1>Contacts</h1>
<p class="lead">${account.name}</p>
${accountChoice("/contacts", directory.accounts(), account.id)}
<h2>Lists</h2>
${rows(lists.map(listLine), "This account has no lists.")}
<h2>People</h2>
${rows(
  shown.map((contact) => contactLine(contact, lists)),
  "Nobody is on its lists.",
)}
${found.length > perPage && nextPage("/contacts", { account: account.id, after: shown.at(-1)?.email }, "More people")}`;
  return document({ title: "Contacts", section: "/contacts", now: parts.clock.now(), content });
}

const listLine = ({ id, name, doubleOptIn }: NewsletterList): Html =>
  html`<span class="title">${outside(name)}</span><span class="side">list ${id}</span>
<span class="small soft">${doubleOptIn ? "Asks for a confirmation" : "Takes people at once"}</span>`;

function contactLine(contact: Contact, lists: NewsletterList[]): Html {
  const name = [contact.firstName, contact.lastName].filter((part) => part !== null).join(" ");
  return html`<span class="title">${outside(contact.email)}</span>
${name !== "" && html`<span class="side">${outside(name)}</span>`}
${contact.memberships.map((membership) => membershipLine(contact, membership, lists))}
${details(contact)}
${contact.marketingBlocked && html`<span class="more small bad">No marketing e-mail reaches this address.</span>`}`;
}

function membershipLine({ email }: Contact, membership: Membership, lists: NewsletterList[]): Html {
  const name = lists.find(({ id }) => id === membership.listId)?.name ?? `list ${membership.listId}`;
  return html`<div class="more pair small"><span>${outside(name)}: ${stateMark(membership.status)}</span>
${membership.confirmation !== null && confirmForm(email, membership.listId)}</div>
${consentLine(membership.consents.at(-1))}`;
}

/** What was said of the consent, when, and from where: the last time where there were several. */
function consentLine(consent: Consent | undefined): Insert {
  if (consent === undefined) return null;
  const { detail, at, ip, userAgent } = consent;
  const origin = [ip, userAgent].filter((part) => part !== null);
  return html`<span class="more small soft">Consent of ${moment(at)} UTC: ${outside(detail)}${
    origin.length > 0 && html` (${origin.map((part, index) => html`${index > 0 && ", "}${outside(part)}`)})`
  }</span>`;
}

const confirmForm = (email: string, listId: number): Html =>
  html`<form class="inline" method="post" action="/contacts/confirm"><input type="hidden" name="email" value="${email}"><input type="hidden" name="list_id" value="${listId}"><button aria-label="Confirm ${email} for list ${listId}">Confirm</button></form>`;

function details({ fields, tags }: Contact): Insert {
  const values = Object.entries(fields).map(
    ([key, value]) => html`${outside(key)}: ${outside(String(value))}`,
  );
  const all = [...values, ...tags.map((tag) => html`#${outside(tag)}`)];
  return (
    all.length > 0 &&
    html`<span class="more small soft">${all.map((one, index) => html`${index > 0 && ", "}${one}`)}</span>`
  );
}
