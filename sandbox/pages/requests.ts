import { type Html, html, type Insert } from "../../lib/html.ts";
import type { RecentRequest } from "../api/recent.ts";
import type { SiteResponse } from "../control/response.ts";
import type { LoggedRequest } from "../domain/records.ts";
import { accountChoice, chosenAccount, moment, type PageContext, userText } from "./components.ts";
import { renderPage } from "./layout.ts";
import { pagedRows } from "./paged-rows.ts";
import { messagesOf, type ShownRequest, shownRequest } from "./shown-request.ts";

export async function requestsPage(context: PageContext): Promise<SiteResponse> {
  const { services } = context;
  const account = chosenAccount(context);
  const { recent } = services;
  const rowOf = (request: ShownRequest): Html => requestRow(request, recent.find(request.requestId));
  const list = await pagedRows<LoggedRequest>(context, {
    ...{ path: "/requests", account, perPage: 50, cursor: "before" },
    find: (query) => services.store.loggedRequests(query),
    idOf: ({ requestId }) => requestId,
    row: rowOf,
    ...(account === undefined && {
      mix: (logged, isLast) => {
        const since = isLast ? 0 : (logged.at(-1)?.at ?? 0);
        const others = recent.unmatched().filter(({ at }) => at >= since);
        const all = [...logged, ...others.map(shownRequest)].sort((one, other) => other.at - one.at);
        return all.map((request) => ({ key: request.requestId, row: rowOf(request) }));
      },
    }),
    empty: "No requests yet.",
    more: "Older requests",
  });
  const content = html`<p class="lead">The request log of the API, newest first, without bodies and keys. Requests without a valid key or with an unknown path are not logged: this page shows the last ones${
    services.store.isShared && " of this instance"
  } from memory.</p>
${accountChoice(context, "/requests", account, "All accounts")}
${list}`;
  return renderPage(context, { title: "Requests", section: "/requests", content });
}

function requestRow(request: ShownRequest, details: RecentRequest | undefined): Html {
  const { method, path, status, errorType, requestId, at, fields, accountId } = request;
  const reason = details?.error?.message ?? (fields.length > 0 && `Invalid fields: ${fields.join(", ")}`);
  return html`<a class="title mono" href="/requests/${encodeURIComponent(requestId)}">${method} ${userText(path)}</a>
<span class="side"><span class="state ${status < 400 ? "good" : "bad"}">${status}${errorType !== null && ` ${errorType}`}</span></span>
<span class="small soft"><span class="mono">${requestId}</span>${accountId === null && ", not in the log"}</span><span class="side">${moment(at)}</span>
${reason && html`<span class="more small bad">${userText(reason)}</span>`}
${messageLinks(messagesOf(request, details))}`;
}

function messageLinks([first, ...others]: string[]): Insert {
  if (first === undefined) return null;
  return html`<span class="more small"><a href="/messages/${encodeURIComponent(first)}">Message ${userText(first)}</a>${
    others.length > 0 && ` and ${others.length} more`
  }</span>`;
}
