import type { Account, MembershipStatus, MessageStatus } from "../domain/records.ts";
import { type Html, html, type Insert } from "./html.ts";

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

/** A state in its word, with a dot beside it. */
export const stateMark = (status: MessageStatus | MembershipStatus): Html =>
  html`<span class="state ${tones[status]}">${status}</span>`;

/** Text from outside. It is kept apart from what is around it, whichever way its writing runs. */
export const outside = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A list of rows; a sentence where there are none. */
export const rows = (items: Html[], none: Insert): Html =>
  items.length === 0
    ? html`<p class="empty">${none}</p>`
    : html`<ul class="rows">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** Lets the reader choose an account. `all` is the label of the choice of none. */
export function accountChoice(
  path: string,
  accounts: Account[],
  chosen: string | undefined,
  all?: string,
): Html {
  if (accounts.length < 2) return html``;
  const option = ({ id, name }: { id: string; name: string }): Html =>
    html`<option value="${id}"${id === (chosen ?? "") ? html` selected` : ""}>${name}</option>`;
  return html`<form class="line" action="${path}"><label>Account
<select name="account">${all === undefined ? "" : option({ id: "", name: all })}${accounts.map(option)}</select></label>
<button>Show</button></form>`;
}

/** Leads to what comes after the last row shown. */
export function nextPage(path: string, parameters: Record<string, string | undefined>, label: string): Html {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return html`<p><a href="${path}?${query.toString()}">${label}</a></p>`;
}

/** How large, for people. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1_048_576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
