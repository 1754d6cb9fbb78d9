import type { SiteAnswer } from "../control/answer.ts";
import type { MessageSummary } from "../domain/store.ts";
import { type Html, html } from "./html.ts";
import { document, moment } from "./layout.ts";
import { accountChoice, nextPage, outside, rows, stateMark } from "./parts.ts";
import { chosenAccount, type Visit } from "./visit.ts";

const perPage = 25;

/** The messages, the newest first. */
export async function outboxPage(visit: Visit): Promise<SiteAnswer> {
  const { parts, query } = visit;
  const accountId = chosenAccount(visit);
  const before = query.get("before");
  const found = await parts.store.summaries({
    limit: perPage + 1,
    ...(accountId === undefined ? {} : { accountId }),
    ...(before === null ? {} : { before }),
  });
  const shown = found.slice(0, perPage);
  const content = html`<h1>Outbox</h1>
<p class="lead">Every message that was accepted, the newest first. Nothing here has left for a real mailbox, unless a relay was set.</p>
${accountChoice("/", parts.directory().accounts(), accountId, "All accounts")}
${rows(shown.map(line), "No messages yet. Send one, and load this page again.")}
${found.length > perPage && nextPage("/", { account: accountId, before: shown.at(-1)?.id }, "Older messages")}`;
  return document({ title: "Outbox", section: "/", now: parts.clock.now(), content });
}

function line(message: MessageSummary): Html {
  const recipients = [...message.to, ...message.cc, ...message.bcc];
  const [first = "", ...others] = recipients;
  return html`<a class="title" href="/messages/${encodeURIComponent(message.id)}">${outside(subjectOf(message.subject))}</a>
<span class="side">${stateMark(message.status)}</span>
<span class="small soft">To ${outside(first)}${others.length > 0 && ` and ${others.length} more`}</span>
<span class="side">${moment(message.sentAt ?? message.scheduledAt ?? message.createdAt)}</span>`;
}

/** A subject that can be clicked even where there is none. */
export const subjectOf = (subject: string): string => (subject.trim() === "" ? "(no subject)" : subject);
