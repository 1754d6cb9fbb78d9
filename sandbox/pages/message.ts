import { type Html, html, type Insert } from "../../lib/html.ts";
import { findMessage } from "../control/operation.ts";
import type { SiteResponse } from "../control/response.ts";
import { warningsOf } from "../control/views.ts";
import type { Message } from "../domain/records.ts";
import { attachmentList } from "./attachments.ts";
import {
  definitions,
  joined,
  keyedRows,
  link,
  live,
  moment,
  type PageContext,
  statusMark,
  userText,
} from "./components.ts";
import { messageFrame } from "./frame.ts";
import { renderPage } from "./layout.ts";
import { messageViews } from "./message-views.ts";
import { subjectOf } from "./outbox.ts";

export async function messagePage(context: PageContext): Promise<SiteResponse> {
  const { services, query, parameters } = context;
  const message = await findMessage(services, parameters.id ?? "");
  const path = `/messages/${encodeURIComponent(message.id)}`;
  const views = messageViews.filter((one) => one.exists(message));
  const view = views.find(({ name }) => name === query.get("view")) ?? views[0];
  // Only until its final status, because the whole message is read each time.
  const follow = (name: string, part: Html): Html => live(name, part, message.dueAt === null);
  const warnings = warningsOf(message).map((warning) => html`<p class="notice">${userText(warning)}</p>`);
  const content = html`${follow("properties", html`${warnings}${properties(message)}`)}
<nav class="views" aria-label="Views of the message">${views.map((one) =>
    link(`${path}?view=${one.name}`, one.label, one === view),
  )}</nav>
${await view?.render(message, path)}
${attachmentList(message, path)}
${follow("events", html`${eventList(message)}${bounceDetails(message)}`)}`;
  return renderPage(context, { title: subjectOf(message.content.subject), section: "/", content });
}

function properties(message: Message): Html {
  const { subject, reply_to } = message.content;
  const recipients = (list: string[]): Insert => list.length > 0 && joined(list.map(userText));
  const time = (at: number | null): Insert => at !== null && html`${moment(at)} UTC`;
  const tags = Object.entries(message.tags);
  return definitions([
    ["Status", statusMark(message.status)],
    ["Subject", subject.length > 150 && userText(subject)],
    ["From", userText(message.from)],
    ["To", recipients(message.to)],
    ["Cc", recipients(message.cc)],
    ["Bcc", recipients(message.bcc)],
    ["Reply-To", reply_to !== null && userText(reply_to)],
    ["Scheduled for", time(message.scheduledAt)],
    ["Sent", time(message.sentAt)],
    [
      "Tags",
      tags.length > 0 && tags.map(([name, value]) => html`<div>${userText(name)}: ${userText(value)}</div>`),
    ],
    ["Id", html`<code>${message.id}</code>`],
    ["Account", message.accountId],
  ]);
}

const eventList = ({ events, dueAt }: Message): Html => html`<h2>Events</h2>
${keyedRows(
  events.map(({ type, at, detail }, index) => ({
    key: String(index),
    row: html`<span class="title">${userText(type)}</span><span class="side">${moment(at)}</span>
${detail !== null && html`<span class="more small soft">${userText(detail)}</span>`}`,
  })),
  "No events yet.",
)}
${dueAt !== null && html`<p class="small soft">Due at ${moment(dueAt)} UTC. To get there now, advance the <a href="/clock">clock</a>.</p>`}`;

const bounceDetails = ({ bounce }: Message): Insert =>
  bounce !== null &&
  html`<h2>Bounce</h2>${definitions([
    ["Type", userText(bounce.type)],
    ["Subtype", userText(bounce.subtype)],
    ["Permanent", bounce.permanent ? "yes" : "no"],
    ["Summary", userText(bounce.summary)],
    ["What to do", userText(bounce.what_to_do)],
    ["Diagnostic", html`<code>${userText(bounce.diagnostic)}</code>`],
  ])}`;

/** The HTML of a message, for its frame. */
export const framePage = async ({ services, parameters }: PageContext): Promise<SiteResponse> =>
  messageFrame(await findMessage(services, parameters.id ?? ""));
