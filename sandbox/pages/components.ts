import { type Html, html, type Insert } from "../../lib/html.ts";
import type { ApiRequest } from "../api/context.ts";
import { findAccount, type GatewayServices } from "../control/operation.ts";
import type { Account, MembershipStatus, MessageStatus } from "../domain/records.ts";

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

/** A list of rows, or a sentence if there are none. */
export const rows = (items: Html[], empty: Insert): Html =>
  items.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<ul class="rows">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** A row that the script finds again in the next version of its list. */
export interface KeyedRow {
  key: string;
  row: Html;
}

/** Names and values; entries without a value are left out. */
export const definitions = (entries: [string, Insert][]): Html =>
  html`<dl>${entries.map(
    ([name, value]) =>
      value !== null && value !== undefined && value !== false && html`<dt>${name}</dt><dd>${value}</dd>`,
  )}</dl>`;

/**
 * A part of a page that the script keeps up to date. The name is unique in its page.
 *
 * @param isFinal whether it does not change any more
 */
export const live = (name: string, content: Insert, isFinal = false): Html =>
  html`<div data-live="${name}"${isFinal && html` data-final`}>${content}</div>`;

/** A list of rows that the script keeps up to date. */
export const keyedRows = (items: KeyedRow[], empty: Insert): Html =>
  items.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<ul class="rows">${items.map(({ key, row }) => html`<li data-key="${key}">${row}</li>`)}</ul>`;

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
export function accountChoice(
  { services }: PageContext,
  path: string,
  chosen?: Account,
  all?: string,
): Insert {
  const select = accountSelect(services, chosen, all);
  return select && html`<form class="line" action="${path}">${select}<button>Show</button></form>`;
}

/** The field of a form that selects an account; null for only one. */
export function accountSelect({ directory }: GatewayServices, chosen?: Account, all?: string): Html | null {
  const accounts = directory.accounts();
  if (accounts.length < 2) return null;
  const options = [...(all === undefined ? [] : [{ id: "", name: all }]), ...accounts];
  return html`<label>Account
<select name="account">${options.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === (chosen?.id ?? "") ? html` selected` : ""}>${name}</option>`,
  )}</select></label>`;
}
