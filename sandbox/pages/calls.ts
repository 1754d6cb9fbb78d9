import type { SiteAnswer } from "../control/answer.ts";
import type { LoggedRequest } from "../domain/records.ts";
import { type Html, html } from "./html.ts";
import { document, moment } from "./layout.ts";
import { accountChoice, nextPage, outside, rows } from "./parts.ts";
import { chosenAccount, type Visit } from "./visit.ts";

const perPage = 50;

/** The calls of the API, the newest first. */
export async function callsPage(visit: Visit): Promise<SiteAnswer> {
  const { parts, query } = visit;
  const accountId = chosenAccount(visit);
  const before = query.get("before");
  const found = await parts.store.loggedRequests({
    limit: perPage + 1,
    ...(accountId === undefined ? {} : { accountId }),
    ...(before === null ? {} : { before }),
  });
  const shown = found.slice(0, perPage);
  const content = html`<h1>Calls</h1>
<p class="lead">The API log, the newest first. Calls that belong to no account or no address are not in it, and neither are bodies and keys.</p>
${accountChoice("/calls", parts.directory().accounts(), accountId, "All accounts")}
${rows(shown.map(line), "No calls yet.")}
${found.length > perPage && nextPage("/calls", { account: accountId, before: shown.at(-1)?.requestId }, "Older calls")}`;
  return document({ title: "Calls", section: "/calls", now: parts.clock.now(), content });
}

const line = (
  call: LoggedRequest,
): Html => html`<span class="title"><span class="mono">${call.method} ${outside(call.path)}</span></span>
<span class="side"><span class="state ${call.status < 400 ? "good" : "bad"}">${call.status}${call.errorType !== null && ` ${call.errorType}`}</span></span>
<span class="small soft mono">${call.requestId}</span><span class="side">${moment(call.at)}</span>
${call.fields.length > 0 && html`<span class="more small bad">Not accepted: ${outside(call.fields.join(", "))}</span>`}`;
