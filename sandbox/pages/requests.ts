import { type Html, html } from "../../lib/html.ts";
import type { SiteResponse } from "../control/response.ts";
import type { LoggedRequest } from "../domain/records.ts";
import { accountChoice, chosenAccount, moment, type PageContext, pagedRows, userText } from "./components.ts";
import { renderPage } from "./layout.ts";

export async function requestsPage(context: PageContext): Promise<SiteResponse> {
  const { services } = context;
  const account = chosenAccount(context);
  const list = await pagedRows<LoggedRequest>(context, {
    ...{ path: "/requests", account, perPage: 50, cursor: "before" },
    find: (query) => services.store.loggedRequests(query),
    idOf: ({ requestId }) => requestId,
    row: requestRow,
    empty: "No requests yet.",
    more: "Older requests",
  });
  const content = html`<p class="lead">The request log of the API, newest first. It has no bodies and no keys, and no requests without a valid key or with an unknown path.</p>
${accountChoice(context, "/requests", account, "All accounts")}
${list}`;
  return renderPage(services, { title: "Requests", section: "/requests", content });
}

const requestRow = ({ method, path, status, errorType, requestId, at, fields }: LoggedRequest): Html =>
  html`<span class="title"><span class="mono">${method} ${userText(path)}</span></span>
<span class="side"><span class="state ${status < 400 ? "good" : "bad"}">${status}${errorType !== null && ` ${errorType}`}</span></span>
<span class="small soft mono">${requestId}</span><span class="side">${moment(at)}</span>
${fields.length > 0 && html`<span class="more small bad">Invalid fields: ${userText(fields.join(", "))}</span>`}`;
