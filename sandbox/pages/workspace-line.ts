import { type Html, html, type Insert } from "../../lib/html.ts";
import { count } from "../../lib/text.ts";
import type { ApiRequest } from "../api/context.ts";
import { sandboxOf } from "../api/origin.ts";
import { live, userText } from "./components.ts";

const minute = 60_000;

/** How long a workspace still exists. Its lifetime is in real time, whatever its clock says. */
export function expiry(expiresAt: number, now = Date.now()): string {
  const minutes = Math.ceil((expiresAt - now) / minute);
  if (minutes <= 0) return "expired";
  if (minutes < 120) return `expires in ${count(minutes, "minute")}`;
  const hours = Math.round(minutes / 60);
  return hours < 48
    ? `expires in ${count(hours, "hour")}`
    : `expires in ${count(Math.round(hours / 24), "day")}`;
}

/** Which workspace a page belongs to, and when it expires; nothing for the sandbox itself. */
export function workspaceLine(request: ApiRequest): Insert {
  if (request.workspace === undefined) return null;
  const { id, label, expiresAt } = request.workspace;
  return html`<div class="workspace"><div><p>Workspace ${label !== undefined && html`<b>${userText(label)}</b> `}<code>${id}</code></p>
${expiresAt !== null && live("expiry", expiryText(expiresAt))}
<p><a href="${sandboxOf(request)}/workspaces">All workspaces</a></p></div></div>`;
}

/** The end of a workspace, relative and in full. */
export const expiryText = (expiresAt: number): Html =>
  html`<time datetime="${new Date(expiresAt).toISOString()}" title="${new Date(expiresAt).toISOString()}">${expiry(expiresAt)}</time>`;
