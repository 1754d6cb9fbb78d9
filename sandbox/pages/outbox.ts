import { type Html, html } from "../../lib/html.ts";
import type { HttpResponse } from "../api/context.ts";
import { originOf } from "../api/paths.ts";
import type { Account } from "../domain/records.ts";
import { searchedMessages } from "../domain/retention.ts";
import type { MessageSummary } from "../domain/store.ts";
import { firstRequest, keyId, type SeedAccount } from "../seed/seed.ts";
import {
  accountSelect,
  chosenAccount,
  copyButton,
  moment,
  type PageContext,
  pagedRows,
  renderPage,
  rows,
  statusMark,
  userText,
} from "./components.ts";

/** Longer searches are truncated. */
const longestSearch = 200;

export async function outboxPage(context: PageContext): Promise<HttpResponse> {
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

/** The first request and the API keys, of one account in full. */
function startSection({ services, request }: PageContext, chosen: Account | undefined): Html {
  const { seed } = services;
  const account = seed.accounts.find(({ id }) => id === chosen?.id) ?? seed.accounts[0];
  const others = seed.accounts.filter((one) => one !== account);
  const url = originOf(request);
  const own = { ...seed, accounts: account === undefined ? [] : [account] };
  const command = firstRequest(url, own) || firstRequest(url, seed);
  return html`<details class="start" id="keys" open><summary>Send a message: command and keys</summary>
${
  command !== "" &&
  html`<div class="copies command"><h2>Send a message</h2>${copyButton("Copy the command")}<pre tabindex="0"><code>${command}</code></pre></div>`
}
${account !== undefined && html`<h2>API keys of ${userText(account.name ?? account.id)}</h2>${keyList(account)}`}
${others.length > 0 && html`<details><summary>Keys of the other accounts</summary>${others.map((other) => html`<h3>${userText(other.name ?? other.id)}</h3>${keyList(other)}`)}</details>`}
</details>`;
}

const keyList = (account: SeedAccount): Html =>
  rows(
    account.keys.map(({ key, label }, index) => {
      const name = label ?? keyId(account, index);
      return html`<div class="copies"><div><code>${key}</code><div class="small soft">${userText(name)}</div></div>${copyButton(`Copy the key ${name}`)}</div>`;
    }),
    "No keys.",
  );
