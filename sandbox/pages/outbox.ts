import { type Html, html } from "../../lib/html.ts";
import type { SiteResponse } from "../control/response.ts";
import type { MessageSummary } from "../domain/lists.ts";
import { searchedMessages } from "../domain/search.ts";
import {
  accountSelect,
  chosenAccount,
  moment,
  type PageContext,
  statusMark,
  userText,
} from "./components.ts";
import { renderPage } from "./layout.ts";
import { pagedRows } from "./paged-rows.ts";
import { startSection } from "./start.ts";

/** Longer searches are truncated. */
const longestSearch = 200;

export async function outboxPage(context: PageContext): Promise<SiteResponse> {
  const { services, query } = context;
  const account = chosenAccount(context);
  const search = (query.get("search") ?? "").trim().slice(0, longestSearch);
  const list = await pagedRows<MessageSummary>(context, {
    ...{ path: "/", account, perPage: 25, cursor: "before" },
    ...(search !== "" && { parameters: { search } }),
    find: (page) => services.store.summaries({ ...page, search }),
    idOf: ({ id }) => id,
    row: messageRow,
    empty: search === "" ? noMessages : noneFound(search),
    more: "Older messages",
  });
  const content = html`<p class="lead">All accepted messages, newest first. They stay here: only --smtp sends them to a mail server.</p>
<div class="columns">${startSection(context, account)}
<div>
<form class="line" action="/" role="search"><label class="grow">Search in subject and recipients<input type="search" name="search" value="${search}" maxlength="${longestSearch}" autocomplete="off"></label>
${accountSelect(services, account, "All accounts")}<button>Search</button></form>
${list}
</div></div>`;
  return renderPage(context, { title: "Outbox", section: "/", content });
}

const noMessages = html`No messages yet. Send one with the <a href="#keys">command</a><span class="no-script">, then reload this page</span>.`;

const noneFound = (search: string): Html =>
  html`No message with “${userText(search)}” in its subject or recipients, of the newest ${searchedMessages.toLocaleString("en")}. <a href="/">Show all</a>`;

function messageRow(message: MessageSummary): Html {
  const [first = "", ...others] = [...message.to, ...message.cc, ...message.bcc];
  return html`<a class="title" href="/messages/${encodeURIComponent(message.id)}">${userText(subjectOf(message.subject))}</a>
<span class="side">${statusMark(message.status)}</span>
<span class="small soft">To ${userText(first)}${others.length > 0 && ` and ${others.length} more`}</span>
<span class="side">${moment(message.sentAt ?? message.scheduledAt ?? message.createdAt)}</span>`;
}

/** The subject, or a text to click on if it is empty. */
export const subjectOf = (subject: string): string => (subject.trim() === "" ? "(no subject)" : subject);
