import { type ErrorRow, errors } from "../../generated/errors.ts";
import { operations } from "../../generated/operations.ts";
import { type Html, html, type Insert } from "../../lib/html.ts";
import { errorUrl } from "../../lib/text.ts";
import type { HttpResponse } from "../api/context.ts";
import { errorTypeOf } from "../api/error-response.ts";
import { createPathMatcher, originOf } from "../api/paths.ts";
import type { RecentRequest } from "../api/recent.ts";
import { ControlError } from "../control/operation.ts";
import type { Account, LoggedRequest } from "../domain/records.ts";
import { searchedMessages } from "../domain/retention.ts";
import type { MessageSummary } from "../domain/store.ts";
import { firstRequest, keyId, type SeedAccount } from "../seed/seed.ts";
import {
  accountChoice,
  accountSelect,
  chosenAccount,
  copyButton,
  definitions,
  moment,
  type PageContext,
  pagedRows,
  renderPage,
  rows,
  statusMark,
  userText,
  withCode,
} from "./components.ts";

export async function requestsPage(context: PageContext): Promise<HttpResponse> {
  const { store, recent } = context.services;
  const account = chosenAccount(context);
  const rowOf = (request: ShownRequest): Html => requestRow(request, recent.find(request.requestId));
  const list = await pagedRows<LoggedRequest>(context, {
    ...{ path: "/requests", account, perPage: 50, cursor: "before" },
    find: (query) => store.loggedRequests(query),
    idOf: ({ requestId }) => requestId,
    row: rowOf,
    ...(account === undefined && {
      mix: (logged, isLast) => {
        const since = isLast ? 0 : (logged.at(-1)?.at ?? 0);
        const others = recent.unmatched().filter(({ at }) => at >= since);
        const all = [...logged, ...others].sort((one, other) => other.at - one.at);
        return all.map((request) => ({ key: request.requestId, row: rowOf(request) }));
      },
    }),
    empty: "No requests yet.",
    more: "Older requests",
  });
  const content = html`<p class="lead">The request log of the API, newest first, without bodies and keys. Requests without a valid key or with an unknown path are not logged: this page shows the last ones of this instance from memory.</p>
${accountChoice(context, "/requests", account, "All accounts")}
${list}`;
  return renderPage(context, { title: "Requests", section: "/requests", content });
}

function requestRow(request: ShownRequest, details: RecentRequest | undefined): Html {
  const { method, path, status, errorType, requestId, at, fields = [], accountId } = request;
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

/** A request: why it was rejected, or what it sent. */
export async function requestPage(context: PageContext): Promise<HttpResponse> {
  const { services, parameters } = context;
  const { id = "" } = parameters;
  const details = services.recent.find(id);
  const request: ShownRequest | undefined = (await services.store.loggedRequest(id)) ?? details;
  if (request === undefined)
    throw ControlError.unknownId(
      "request",
      id,
      "The page /requests lists the others. Those that the log does not keep are forgotten after a while.",
    );
  const content = html`${properties(request)}
${request.status >= 400 ? rejection(request, details, services) : outcome(request, details)}`;
  return renderPage(context, { title: `${request.method} ${request.path}`, section: "/requests", content });
}

/** What is in memory only. */
const kept = "kept for the last requests only, by the instance that handled them";

const properties = ({ status, at, accountId, requestId }: ShownRequest): Html =>
  definitions([
    ["Status", html`<span class="state ${status < 400 ? "good" : "bad"}">${status}</span>`],
    ["Time", html`${moment(at)} UTC`],
    ["Account", accountId ?? "unknown: not in the request log"],
    ["Request id", html`<code>${requestId}</code>`],
  ]);

/** Why a request was rejected: its error response as far as it is known, and what the reference says about the error. */
function rejection(
  request: ShownRequest,
  details: RecentRequest | undefined,
  services: PageContext["services"],
): Html {
  const error = details?.error ?? null;
  const row = error === null ? rowOf(request) : errors[error.id];
  return html`<h2>Why it was rejected</h2>
${definitions([
  ["Type", typeOf(request, services)],
  ["Message", error === null ? html`<span class="soft">${kept}</span>` : userText(error.message)],
  ["When", row && withCode(row.when)],
  ["What to do", row && withCode(row.resolution)],
])}
${fieldList(Object.entries(error?.fields ?? Object.fromEntries((request.fields ?? []).map((name) => [name, []]))))}
${messageList(messagesOf(request, details))}`;
}

/** The error type, linked to the reference site. */
function typeOf({ status, errorType }: ShownRequest, { docs }: PageContext["services"]): Html {
  const url = docs && errorUrl(docs, errors, { status, type: errorType });
  const type = html`<code>${errorType ?? "unknown"}</code>`;
  return url ? html`<a href="${url}">${type}</a>` : type;
}

/** The row of the error table, if there is only one with this status and type. */
function rowOf({ status, errorType }: Pick<LoggedRequest, "status" | "errorType">): ErrorRow | undefined {
  const all: ErrorRow[] = Object.values(errors);
  const [row, ...others] = all.filter((one) => one.status === status && errorTypeOf(one) === errorType);
  return others.length === 0 ? row : undefined;
}

const fieldList = (fields: [name: string, sentences: string[]][]): Insert =>
  fields.length > 0 &&
  html`<h2>Invalid fields</h2>${rows(
    fields.map(
      ([name, sentences]) =>
        html`<span class="title mono">${userText(name)}</span>${sentences.map((sentence) => html`<span class="more">${userText(sentence)}</span>`)}`,
    ),
    "",
  )}`;

function outcome(request: ShownRequest, details: RecentRequest | undefined): Insert {
  const messages = messagesOf(request, details);
  if (messages.length > 0 || request.status !== 202) return messageList(messages);
  const outbox = request.accountId === null ? "/" : `/?account=${encodeURIComponent(request.accountId)}`;
  return html`<p class="soft">Which messages this request sent is ${kept}. All messages are in the <a href="${outbox}">outbox</a>.</p>`;
}

const messageList = (ids: string[]): Insert =>
  ids.length > 0 &&
  html`<h2>${ids.length === 1 ? "Message" : "Messages"}</h2>${rows(
    ids.map(
      (id) => html`<a class="title mono" href="/messages/${encodeURIComponent(id)}">${userText(id)}</a>`,
    ),
    "",
  )}`;

/** A request of the log, or one that the log does not keep. */
type ShownRequest = Omit<LoggedRequest, "accountId" | "fields"> &
  Pick<RecentRequest, "accountId"> & { fields?: string[] };

const findMessage = createPathMatcher([[operations.getEmail.path, true]]);

/** The ids of the messages that a request sent, as far as they are known, or of the message that it was about. */
function messagesOf({ path, method, status }: ShownRequest, details: RecentRequest | undefined): string[] {
  if (details !== undefined && details.accepted !== null) return idsIn(JSON.parse(details.accepted));
  if (typeof details?.confirmation === "string") return [details.confirmation];
  const id = method === "POST" || status === 404 ? undefined : findMessage(path)?.parameters.id;
  return id === undefined ? [] : [id];
}

/** The ids in the response of a send: its own, or those of the messages of a batch. */
const idsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value !== "object" || value === null) return [];
  return "id" in value ? [String(value.id)] : Object.values(value).flatMap(idsIn);
};

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
