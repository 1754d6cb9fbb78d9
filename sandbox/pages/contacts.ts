import { type Html, html, type Insert } from "../../lib/html.ts";
import type { HttpResponse } from "../api/context.ts";
import { ControlError } from "../control/operation.ts";
import { confirmMembership } from "../control/recipients.ts";
import type { Consent, Contact, Membership, NewsletterList } from "../domain/records.ts";
import {
  accountChoice,
  accountOrFirst,
  joined,
  moment,
  type PageContext,
  pagedRows,
  renderPage,
  rows,
  statusMark,
  userText,
} from "./components.ts";

export async function contactsPage(context: PageContext): Promise<HttpResponse> {
  const { services } = context;
  const account = accountOrFirst(context);
  const lists = services.directory.lists(account.id);
  const contacts = await pagedRows<Contact>(context, {
    ...{ path: "/contacts", account, perPage: 50, cursor: "after" },
    find: (query) => services.store.contacts({ ...query, accountId: account.id }),
    idOf: ({ email }) => email,
    row: (contact) => contactRow(contact, lists),
    empty: "No contacts yet.",
    more: "More contacts",
  });
  const content = html`<p class="lead">Newsletter lists and contacts of ${userText(account.name)}.</p>
${accountChoice(context, "/contacts", account)}
<h2>Lists</h2>
${rows(lists.map(listRow), "No lists.")}
<h2>Contacts</h2>
${contacts}`;
  return renderPage(context, { title: "Contacts", section: "/contacts", content });
}

const listRow = ({ id, name, doubleOptIn }: NewsletterList): Html =>
  html`<span class="title">${userText(name)}</span><span class="side">list ${id}</span>
<span class="small soft">${doubleOptIn ? "Double opt-in" : "Single opt-in"}</span>`;

function contactRow(contact: Contact, lists: NewsletterList[]): Html {
  const name = [contact.firstName, contact.lastName].filter((part) => part !== null).join(" ");
  return html`<span class="title">${userText(contact.email)}</span>
${name !== "" && html`<span class="side">${userText(name)}</span>`}
${contact.memberships.map((membership) => membershipRow(contact, membership, lists))}
${details(contact)}
${contact.marketingBlocked && html`<span class="more small bad">Receives no marketing email.</span>`}`;
}

function membershipRow({ accountId, email }: Contact, membership: Membership, lists: NewsletterList[]): Html {
  const { listId, confirmation, consents } = membership;
  const name = lists.find(({ id }) => id === listId)?.name ?? `list ${listId}`;
  const fields = Object.entries({ account: accountId, email, list_id: listId });
  return html`<div class="more pair small"><span>${userText(name)}: ${statusMark(membership.status)}</span>
${
  confirmation !== null &&
  html`<form class="inline" method="post" action="/contacts/confirm">${fields.map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
  )}<button aria-label="Confirm ${email} for list ${listId}">Confirm</button></form>`
}</div>
${consentLine(consents.at(-1))}`;
}

/** The latest consent, with its time and origin. */
function consentLine(consent: Consent | undefined): Insert {
  if (consent === undefined) return null;
  const { detail, at, ip, userAgent } = consent;
  const origin = [ip, userAgent].filter((part) => part !== null).map(userText);
  return html`<span class="more small soft">Consent of ${moment(at)} UTC: ${userText(detail)}${
    origin.length > 0 && html` (${joined(origin)})`
  }</span>`;
}

function details({ fields, tags }: Contact): Insert {
  const values = Object.entries(fields).map(
    ([key, value]) => html`${userText(key)}: ${userText(String(value))}`,
  );
  const all = [...values, ...tags.map((tag) => html`#${userText(tag)}`)];
  return all.length > 0 && html`<span class="more small soft">${joined(all)}</span>`;
}

export async function suppressionsPage(context: PageContext): Promise<HttpResponse> {
  const account = accountOrFirst(context);
  const accountField = html`<input type="hidden" name="account" value="${account.id}">`;
  const list = (await context.services.store.suppressions(account.id)).map(
    ({ address, reason, at }) => html`<span class="title">${userText(address)}</span>
<span class="side">${moment(at)}</span><span class="small soft">${userText(reason)}</span>
<span class="side"><form class="inline" method="post" action="/suppressions/remove">${accountField}<input type="hidden" name="email" value="${address}"><button aria-label="Remove ${address}">Remove</button></form></span>`,
  );
  const content = html`<p class="lead">Email addresses that ${userText(account.name)} no longer sends to.</p>
${accountChoice(context, "/suppressions", account)}
${rows(list, "No suppressed email addresses.")}
<h2>Suppress an email address</h2>
<form class="line" method="post" action="/suppressions">${accountField}
<label>Email address<input type="email" name="email" required maxlength="320" autocomplete="off"></label>
<label>Reason<select name="reason"><option>hard bounce</option><option>spam complaint</option><option>unsubscribe</option></select></label>
<button class="chief">Suppress</button></form>`;
  return renderPage(context, { title: "Suppressions", section: "/suppressions", content });
}

/** The page of the link in a confirmation email: confirms the membership. */
export async function confirmPage(context: PageContext): Promise<HttpResponse> {
  const { services, request, query } = context;
  // Programs that check links send HEAD.
  if (request.method === "HEAD")
    return renderPage(context, { title: "Confirm", section: "/contacts", content: null });
  const { email, listId, token } = valuesOf(query);
  const { status } = await confirmMembership(services, { email, list_id: listId, token });
  const name = services.directory
    .accounts()
    .map(({ id }) => services.directory.list(id, listId)?.name)
    .find((one) => one !== undefined);
  const content = html`<p class="lead">${userText(email)} is ${status} to ${userText(name ?? `list ${listId}`)}.</p>
<p><a href="/contacts">Contacts</a></p>`;
  return renderPage(context, { title: "Confirmed", section: "/contacts", content });
}

/** @throws ControlError */
function valuesOf(query: URLSearchParams): { email: string; listId: number; token: string } {
  const [email, list, token] = ["email", "list_id", "token"].map((name) => query.get(name) ?? "");
  if (email && list && /^\d{1,15}$/.test(list) && token) return { email, listId: Number(list), token };
  throw new ControlError(
    `The link is not complete (got ${JSON.stringify(query.toString().slice(0, 200))}).`,
    "Copy the whole link of the confirmation email: it has `list_id`, `email` and `token`.",
  );
}
