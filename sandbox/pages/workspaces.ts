import { type Html, html } from "../../lib/html.ts";
import { pathOfWorkspace } from "../api/origin.ts";
import { workspacesOf } from "../control/operations/workspaces.ts";
import type { SiteResponse } from "../control/response.ts";
import type { WorkspaceEntry } from "../workspaces/registry.ts";
import { keyedRows, live, moment, type PageContext, userText } from "./components.ts";
import { renderPage } from "./layout.ts";
import { expiryText } from "./workspace-line.ts";

const lifetimes = [
  ["PT1H", "1 hour"],
  ["P1D", "1 day"],
  ["P7D", "7 days"],
  ["P28D", "28 days"],
] as const;

/** The workspaces of the sandbox, with a form to create one. */
export async function workspacesPage(context: PageContext): Promise<SiteResponse> {
  const entries = (await workspacesOf(context.services).list()).toReversed();
  const content = html`<p class="lead">Isolated sandboxes, each with its own accounts, clock, outbox and failures: one for each test run.</p>
<form class="line" method="post" action="/workspaces"><label class="grow">Label (optional)<input name="label" maxlength="100" placeholder="Checkout team" autocomplete="off"></label>
<label>Lifetime<select name="lifetime">${lifetimes.map(
    ([duration, label]) => html`<option value="${duration}">${label}</option>`,
  )}</select></label><button class="chief">Create a workspace</button></form>
${live(
  "list",
  keyedRows(
    entries.map((entry) => ({ key: entry.id, row: workspaceRow(entry) })),
    "No workspaces. Tests create them with startSandbox({ at }), scripts with POST /sandbox/workspaces.",
  ),
)}`;
  return renderPage(context, { title: "Workspaces", section: "/workspaces", content });
}

const workspaceRow = ({ id, label, createdAt, expiresAt }: WorkspaceEntry): Html =>
  html`<a class="title${label === undefined && " mono"}" href="${pathOfWorkspace(id)}/">${label === undefined ? id : userText(label)}</a>
<span class="side"><form class="inline" method="post" action="/delete-workspace" data-ask="Delete the workspace ${label ?? id} with everything in it?"><input type="hidden" name="id" value="${id}"><button class="harm" aria-label="Delete the workspace ${label === undefined ? id : `${label}, ${id}`}">Delete</button></form></span>
<span class="small soft">${label !== undefined && html`<span class="mono">${id}</span>, created`}${label === undefined && "Created"} ${moment(createdAt)} UTC</span>
<span class="side">${expiryText(expiresAt)}</span>`;
