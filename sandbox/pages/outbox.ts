import { type Html, html } from "../../lib/html.ts";
import type { SiteResponse } from "../control/response.ts";
import type { MessageSummary } from "../domain/store.ts";
import {
  accountChoice,
  chosenAccount,
  moment,
  type PageContext,
  pagedRows,
  statusMark,
  userText,
} from "./components.ts";
import { renderPage } from "./layout.ts";

export async function outboxPage(context: PageContext): Promise<SiteResponse> {
  const { services } = context;
  const account = chosenAccount(context);
  const list = await pagedRows<MessageSummary>(context, {
    ...{ path: "/", account, perPage: 25, cursor: "before" },
    find: (query) => services.store.summaries(query),
    idOf: ({ id }) => id,
    row: messageRow,
    empty: "No messages yet. Send one, then reload this page.",
    more: "Older messages",
  });
  const content = html`<p class="lead">All accepted messages, newest first. They stay here: only --smtp sends them to a mail server.</p>
${accountChoice(context, "/", account, "All accounts")}
${list}`;
  return renderPage(services, { title: "Outbox", section: "/", content });
}

function messageRow(message: MessageSummary): Html {
  const [first = "", ...others] = [...message.to, ...message.cc, ...message.bcc];
  return html`<a class="title" href="/messages/${encodeURIComponent(message.id)}">${userText(subjectOf(message.subject))}</a>
<span class="side">${statusMark(message.status)}</span>
<span class="small soft">To ${userText(first)}${others.length > 0 && ` and ${others.length} more`}</span>
<span class="side">${moment(message.sentAt ?? message.scheduledAt ?? message.createdAt)}</span>`;
}

/** The subject, or a text to click on if it is empty. */
export const subjectOf = (subject: string): string => (subject.trim() === "" ? "(no subject)" : subject);
