import { html } from "../../lib/html.ts";
import type { SiteResponse } from "../control/response.ts";
import { accountChoice, accountOrFirst, moment, type PageContext, rows, userText } from "./components.ts";
import { renderPage } from "./layout.ts";

export async function suppressionsPage(context: PageContext): Promise<SiteResponse> {
  const { services } = context;
  const account = accountOrFirst(context);
  const entries = await services.store.suppressions(account.id);
  const accountField = html`<input type="hidden" name="account" value="${account.id}">`;
  const list = entries.map(
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
