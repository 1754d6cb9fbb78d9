import { accountOf } from "../control/actions.ts";
import type { SiteAnswer } from "../control/answer.ts";
import { html } from "./html.ts";
import { document, moment } from "./layout.ts";
import { accountChoice, outside, rows } from "./parts.ts";
import { chosenAccount, type Visit } from "./visit.ts";

/** The addresses that an account does not write to any more. */
export async function suppressionsPage(visit: Visit): Promise<SiteAnswer> {
  const { parts } = visit;
  const account = accountOf(parts, chosenAccount(visit));
  const entries = await parts.store.suppressions(account.id);
  const accountField = html`<input type="hidden" name="account" value="${account.id}">`;
  const content = html`<h1>Suppressions</h1>
<p class="lead">${account.name}</p>
${accountChoice("/suppressions", parts.directory().accounts(), account.id)}
${rows(
  entries.map(
    ({
      address,
      reason,
      at,
    }) => html`<span class="title">${outside(address)}</span><span class="side">${moment(at)}</span>
<span class="small soft">${outside(reason)}</span>
<span class="side"><form class="inline" method="post" action="/suppressions/lift">${accountField}<input type="hidden" name="address" value="${address}"><button aria-label="Write to ${address} again">Write to it again</button></form></span>`,
  ),
  "Every address may be written to.",
)}
<h2>Stop sending to an address</h2>
<form class="line" method="post" action="/suppressions">${accountField}
<label>Address<input type="email" name="address" required maxlength="320" autocomplete="off"></label>
<label>Reason<select name="reason"><option>hard bounce</option><option>spam complaint</option><option>unsubscribe</option></select></label>
<button class="chief">Stop sending</button></form>`;
  return document({ title: "Suppressions", section: "/suppressions", now: parts.clock.now(), content });
}
