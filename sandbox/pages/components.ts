import { hash } from "node:crypto";
import { projectFile } from "../../lib/files.ts";
import { Html, html, type Insert } from "../../lib/html.ts";
import type { ApiRequest, HttpResponse } from "../api/context.ts";
import { commonHeaders, findAccount, type GatewayServices } from "../control/operation.ts";
import type { Account, MembershipStatus, MessageStatus } from "../domain/records.ts";

const style = projectFile("lib/base.css") + projectFile("sandbox/pages/page.css");
export const script = projectFile("sandbox/pages/page.js");

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  // The one script of the pages, and what it requests: the page again.
  `script-src 'sha256-${hash("sha256", script, "base64")}'`,
  "connect-src 'self'",
  "img-src data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const sections = [
  ["/", "Outbox"],
  ["/requests", "Requests"],
  ["/contacts", "Contacts"],
  ["/suppressions", "Suppressions"],
  ["/clock", "Clock"],
  ["/failures", "Failures"],
  ["/control", "Control API"],
] as const;

/** The section that a page belongs to, by its path. */
export type Section = (typeof sections)[number][0];

/** An HTML response with its content security policy. */
export const htmlResponse = (
  body: string,
  policy: string,
  headers: Record<string, string>,
  status = 200,
) => ({
  status,
  headers: {
    ...commonHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cross-origin-resource-policy": "same-origin",
    ...headers,
  },
  body,
});

/** Renders a page with its heading, the sections, and the time of the sandbox. */
export function renderPage(
  { services }: Pick<PageContext, "services">,
  { title, section, content, status }: { title: string; section: Section; content: Insert; status?: number },
): HttpResponse {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.slice(0, 150)} · Sandbox</title>
<link rel="icon" href="data:,">
${new Html(`<style>${style}</style>`)}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><div>
<p class="name">Sandbox</p>
<p class="now"><span class="live" role="status"></span><span data-live="now">${moment(services.clock.now())} UTC</span></p>
<nav class="main" aria-label="Sections">${sections.map(([path, label]) => link(path, label, path === section))}</nav>
</div></header>
<main id="content">
<h1><bdi>${title.length > 150 ? `${title.slice(0, 149)}…` : title}</bdi></h1>
${content}
</main>
${new Html(`<script>${script}</script>`)}
</body>
</html>
`;
  // With `no-referrer` browsers send `Origin: null` with the page's own forms.
  const headers = { "referrer-policy": "same-origin", "cross-origin-opener-policy": "same-origin" };
  return htmlResponse(text, contentSecurityPolicy, headers, status);
}

/** What a page is rendered from. */
export interface PageContext {
  services: GatewayServices;
  request: ApiRequest;
  query: URLSearchParams;
  /** The path parameters, decoded. */
  parameters: Readonly<Record<string, string>>;
}

const tones: Record<MessageStatus | MembershipStatus, string> = {
  scheduled: "wait",
  queued: "wait",
  delayed: "wait",
  pending: "wait",
  sent: "",
  cleaned: "",
  canceled: "",
  unsubscribed: "",
  delivered: "good",
  subscribed: "good",
  bounced: "bad",
  complained: "bad",
  rejected: "bad",
  failed: "bad",
};

/** A status with a coloured dot. */
export const statusMark = (status: MessageStatus | MembershipStatus): Html =>
  html`<span class="state ${tones[status]}">${status}</span>`;

/** Text of a user, isolated from the text around it in either writing direction. */
export const userText = (text: string): Html => html`<bdi>${text}</bdi>`;

/** Text with `code` in backticks. */
export const withCode = (text: string): Insert[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

/** Inserts with commas between them. */
export const joined = (items: Insert[]): Insert[] => items.map((item, index) => [index > 0 && ", ", item]);

/** A time in UTC, to the second. */
export function moment(milliseconds: number): Html {
  const iso = new Date(milliseconds).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`;
}

/** A row that the script finds again in the next version of its list. */
interface KeyedRow {
  key: string;
  row: Html;
}

/** A list of rows, or a sentence if there are none. */
export const rows = (items: readonly (Html | KeyedRow)[], empty: Insert): Html =>
  items.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<ul class="rows">${items.map((item) =>
        "key" in item ? html`<li data-key="${item.key}">${item.row}</li>` : html`<li>${item}</li>`,
      )}</ul>`;

/** Names and values; entries without a value are left out. */
export const definitions = (entries: [string, Insert][]): Html =>
  html`<dl>${entries.map(
    ([name, value]) =>
      value !== null && value !== undefined && value !== false && html`<dt>${name}</dt><dd>${value}</dd>`,
  )}</dl>`;

/**
 * A part of a page that the script keeps up to date. The name is unique in its page.
 * @param isFinal whether it does not change any more
 */
export const live = (name: string, content: Insert, isFinal = false): Html =>
  html`<div data-live="${name}"${isFinal && html` data-final`}>${content}</div>`;

/** Copies the first `code` of the element `copies` around it. The script shows it. */
export const copyButton = (label: string): Html =>
  html`<button type="button" class="copy" aria-label="${label}">Copy</button>`;

/** A link of a navigation; `current` marks the page or view that is shown. */
export const link = (path: string, label: string, current: boolean): Html =>
  html`<a href="${path}"${current ? html` aria-current="page"` : ""}>${label}</a>`;

/** A file size in binary units. */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1_048_576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

/** The account of the query; undefined without one, or for an unknown id. */
export const chosenAccount = ({ services, query }: PageContext): Account | undefined =>
  services.directory.accounts().find(({ id }) => id === query.get("account"));

/** The account of the query; the first of the seed otherwise. */
export const accountOrFirst = (context: PageContext): Account =>
  chosenAccount(context) ?? findAccount(context.services);

/** The form that selects an account. `all` is the label of the option for all accounts. */
export function accountChoice({ services }: PageContext, path: string, chosen?: Account, all?: string) {
  const select = accountSelect(services, chosen, all);
  return select && html`<form class="line" action="${path}">${select}<button>Show</button></form>`;
}

/** The field of a form that selects an account; null for only one. */
export function accountSelect({ directory }: GatewayServices, chosen?: Account, all?: string): Html | null {
  const accounts = directory.accounts();
  if (accounts.length < 2) return null;
  return html`<label>Account
<select name="account">${[...(all === undefined ? [] : [{ id: "", name: all }]), ...accounts].map(
    ({ id, name }) =>
      html`<option value="${id}"${id === (chosen?.id ?? "") ? html` selected` : ""}>${name}</option>`,
  )}</select></label>`;
}

interface PagedList<Item> {
  path: string;
  account: Account | undefined;
  /** Further query parameters, which the link to the next page keeps. */
  parameters?: Record<string, string>;
  perPage: number;
  /** The query parameter with the id of the last item of the previous page. */
  cursor: "before" | "after";
  find(query: { limit: number; accountId?: string; before?: string; after?: string }): Promise<Item[]>;
  idOf(item: Item): string;
  row(item: Item): Html;
  /** Adds rows that are not in the list to those of a page. `isLast`: no page follows. */
  mix?(items: Item[], isLast: boolean): KeyedRow[];
  /** Shown for an empty list. */
  empty: Insert;
  /** The label of the link to the next page. */
  more: string;
}

/** One page of a list, with a link to the next one, kept up to date. */
export async function pagedRows<Item>({ query }: PageContext, list: PagedList<Item>): Promise<Html> {
  const { path, account, parameters = {}, perPage, cursor, idOf } = list;
  const start = query.get(cursor);
  const found = await list.find({
    limit: perPage + 1,
    ...(account !== undefined && { accountId: account.id }),
    ...(start !== null && { [cursor]: start }),
  });
  const shown = found.slice(0, perPage);
  const isLast = found.length <= perPage;
  const items =
    list.mix === undefined || start !== null
      ? shown.map((item) => ({ key: idOf(item), row: list.row(item) }))
      : list.mix(shown, isLast);
  const last = shown.at(-1);
  const next = new URLSearchParams({ ...(account !== undefined && { account: account.id }), ...parameters });
  if (last !== undefined) next.set(cursor, idOf(last));
  return live(
    "list",
    html`${rows(items, list.empty)}
${!isLast && html`<p><a href="${path}?${next.toString()}">${list.more}</a></p>`}`,
  );
}
