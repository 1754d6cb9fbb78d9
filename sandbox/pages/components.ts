import { type Html, html, type Insert } from "../../lib/html.ts";
import { findAccount, type GatewayServices } from "../control/operation.ts";
import type { Account, MembershipStatus, MessageStatus } from "../domain/records.ts";

/** What a page is rendered from. */
export interface PageContext {
  services: GatewayServices;
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

/** Inserts with commas between them. */
export const joined = (items: Insert[]): Insert[] => items.map((item, index) => [index > 0 && ", ", item]);

/** A time in UTC, to the second. */
export function moment(milliseconds: number): Html {
  const iso = new Date(milliseconds).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`;
}

/** A list of rows, or a sentence if there are none. */
export const rows = (items: Html[], empty: string): Html =>
  items.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<ul class="rows">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

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
  const accounts = services.directory.accounts();
  if (accounts.length < 2) return null;
  const options = [...(all === undefined ? [] : [{ id: "", name: all }]), ...accounts];
  return html`<form class="line" action="${path}"><label>Account
<select name="account">${options.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === (chosen?.id ?? "") ? html` selected` : ""}>${name}</option>`,
  )}</select></label>
<button>Show</button></form>`;
}

/** A list that is shown in pages. */
export interface PagedList<Item> {
  path: string;
  account: Account | undefined;
  perPage: number;
  /** The query parameter with the id of the last item of the previous page. */
  cursor: "before" | "after";
  find(query: { limit: number; accountId?: string; before?: string; after?: string }): Promise<Item[]>;
  idOf(item: Item): string;
  row(item: Item): Html;
  /** Shown for an empty list. */
  empty: string;
  /** The label of the link to the next page. */
  more: string;
}

/** One page of a list, with a link to the next one. */
export async function pagedRows<Item>({ query }: PageContext, list: PagedList<Item>): Promise<Html> {
  const { path, account, perPage, cursor } = list;
  const start = query.get(cursor);
  const found = await list.find({
    limit: perPage + 1,
    ...(account !== undefined && { accountId: account.id }),
    ...(start !== null && { [cursor]: start }),
  });
  const shown = found.slice(0, perPage);
  const last = shown.at(-1);
  const next = new URLSearchParams(account === undefined ? {} : { account: account.id });
  if (last !== undefined) next.set(cursor, list.idOf(last));
  return html`${rows(shown.map(list.row), list.empty)}
${found.length > perPage && html`<p><a href="${path}?${next.toString()}">${list.more}</a></p>`}`;
}
