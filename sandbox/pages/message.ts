import { messageOf } from "../control/actions.ts";
import type { SiteAnswer } from "../control/answer.ts";
import { notesOf } from "../control/notes.ts";
import { relayOf } from "../control/shapes.ts";
import type { Bounce, Message } from "../domain/records.ts";
import { attachmentList } from "./attachments.ts";
import { messageFrame } from "./frame.ts";
import { type Html, html, type Insert } from "./html.ts";
import { document, moment } from "./layout.ts";
import { messageView, viewsOf } from "./message-views.ts";
import { subjectOf } from "./outbox.ts";
import { outside, rows, stateMark } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** One message: who, what became of it, what it says, what is attached. */
export async function messagePage({ parts, query, path }: Visit): Promise<SiteAnswer> {
  const message = await messageOf(parts, path[0] ?? "");
  const address = `/messages/${encodeURIComponent(message.id)}`;
  const views = viewsOf(message);
  const view = views.find(({ name }) => name === query.get("view")) ?? views[0];
  const link = (one: (typeof views)[number]): Html =>
    html`<a href="${address}?view=${one.name}"${one === view ? html` aria-current="page"` : ""}>${one.label}</a>`;
  const subject = subjectOf(message.content.subject);
  const content = html`<h1>${outside(subject.length > 150 ? `${subject.slice(0, 149)}…` : subject)}</h1>
${notesOf(message).map((note) => html`<p class="notice">${outside(note)}</p>`)}
${facts(message)}
<nav class="views" aria-label="Views of the message">${views.map(link)}</nav>
${view && (await messageView(view.name, message, parts.outbox, address))}
${attachmentList(message, address)}
${history(message)}`;
  return document({ title: subject.slice(0, 150), section: "/", now: parts.clock.now(), content });
}

const row = (name: string, value: Insert): Html => html`<dt>${name}</dt><dd>${value}</dd>`;

const addresses = (name: string, list: string[]): Insert =>
  list.length > 0 &&
  row(
    name,
    list.map((address, index) => html`${index > 0 && ", "}${outside(address)}`),
  );

const timeRow = (name: string, at: number | null): Insert =>
  at !== null && row(name, html`${moment(at)} UTC`);

const relayWords: Record<string, string> = {
  waiting: "does not have it yet",
  claimed: "does not have it yet",
  sending: "is being given it",
  done: "was given it",
  unknown: "may have it: the connection broke off",
};

function relayRow(message: Message): Insert {
  const relay = relayOf(message);
  if (relay === null) return null;
  const times = relay.attempts === 1 ? "once" : `${relay.attempts} times`;
  const tried = relay.attempts === 0 ? "not tried yet" : `tried ${times}`;
  return row("SMTP server", `${relayWords[relay.state] ?? relay.state} (${tried})`);
}

const facts = (message: Message): Html => html`<dl>
${row("Status", stateMark(message.status))}
${message.content.subject.length > 150 && row("Subject", outside(message.content.subject))}
${row("From", outside(message.from))}
${addresses("To", message.to)}${addresses("Cc", message.cc)}${addresses("Bcc", message.bcc)}
${message.content.reply_to !== null && row("Reply to", outside(message.content.reply_to))}
${relayRow(message)}
${timeRow("Scheduled for", message.scheduledAt)}${timeRow("Sent", message.sentAt)}
${Object.entries(message.tags).length > 0 && row("Tags", Object.entries(message.tags).map(tag))}
${row("Id", html`<code>${message.id}</code>`)}
${row("Account", message.accountId)}
</dl>`;

const tag = ([name, value]: [string, string]): Html => html`<div>${outside(name)}: ${outside(value)}</div>`;

const history = ({ events, bounce, dueAt }: Message): Html => html`<h2>History</h2>
${rows(
  events.map(
    ({
      type,
      at,
      detail,
    }) => html`<span class="title">${outside(type)}</span><span class="side">${moment(at)}</span>
${detail !== null && html`<span class="more small soft">${outside(detail)}</span>`}`,
  ),
  "Nothing has happened to it yet.",
)}
${dueAt !== null && html`<p class="small soft">The next thing happens at ${moment(dueAt)} UTC. The <a href="/clock">clock</a> can be moved there.</p>`}
${bounce !== null && bounceFacts(bounce)}`;

const bounceFacts = (bounce: Bounce): Html => html`<h2>Bounce</h2><dl>
${row("Class", `${bounce.type}, ${bounce.subtype}, ${bounce.permanent ? "permanent" : "not permanent"}`)}
${row("Summary", outside(bounce.summary))}${row("What to do", outside(bounce.what_to_do))}
${row("Diagnostic", html`<code>${outside(bounce.diagnostic)}</code>`)}</dl>`;

/** The HTML of a message, for its frame. */
export const framePage = async ({ parts, path }: Visit): Promise<SiteAnswer> =>
  messageFrame(await messageOf(parts, path[0] ?? ""));
