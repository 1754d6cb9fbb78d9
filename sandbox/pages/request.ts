import { type ErrorRow, errors } from "../../generated/errors.ts";
import { type Html, html, type Insert } from "../../lib/html.ts";
import { errorUrl } from "../../lib/text.ts";
import type { RecentRequest } from "../api/recent.ts";
import { ControlError, type SiteResponse } from "../control/response.ts";
import type { LoggedRequest } from "../domain/records.ts";
import { errorTypeOf } from "../responses/response.ts";
import { definitions, moment, type PageContext, rows, userText, withCode } from "./components.ts";
import { renderPage } from "./layout.ts";
import { messagesOf, type ShownRequest, shownRequest } from "./shown-request.ts";

/** A request: why it was rejected, or what it sent. */
export async function requestPage(context: PageContext): Promise<SiteResponse> {
  const { services, parameters } = context;
  const { id = "" } = parameters;
  const details = services.recent.find(id);
  const request: ShownRequest | undefined =
    (await services.store.loggedRequest(id)) ?? (details && shownRequest(details));
  if (request === undefined)
    throw new ControlError(
      404,
      `There is no request ${JSON.stringify(id.slice(0, 100))}.`,
      "The page /requests lists the others. Those that the log does not keep are forgotten after a while.",
    );
  const content = html`${properties(request)}
${request.status >= 400 ? rejection(request, details, services) : outcome(request, details, keptBy(services))}`;
  return renderPage(context, { title: `${request.method} ${request.path}`, section: "/requests", content });
}

/** What is in memory only. */
const keptBy = ({ store }: Pick<PageContext["services"], "store">): string =>
  store.isShared
    ? "kept only by the instance that handled the request, for its last requests"
    : "kept for the last requests only";

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
  ["Message", error === null ? html`<span class="soft">${keptBy(services)}</span>` : userText(error.message)],
  ["When", row && withCode(row.when)],
  ["What to do", row && withCode(row.resolution)],
])}
${fieldList(Object.entries(error?.fields ?? Object.fromEntries(request.fields.map((name) => [name, []]))))}
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

function outcome(request: ShownRequest, details: RecentRequest | undefined, kept: string): Insert {
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
