import { count } from "../../lib/text.ts";
import type { MessageSummary } from "../domain/lists.ts";
import { relayFailed } from "../domain/outbound.ts";
import type { Attachment, LoggedRequest, Membership, Message } from "../domain/records.ts";
import { decodedSize } from "../domain/size.ts";
import { writeTimeOrNull } from "../domain/times.ts";

/** A message in a list. */
export const messageSummaryView = (message: MessageSummary) => ({
  id: message.id,
  account: message.accountId,
  from: message.from,
  to: message.to,
  cc: message.cc,
  bcc: message.bcc,
  subject: message.subject,
  status: message.status,
  created_at: writeTimeOrNull(message.createdAt),
  scheduled_at: writeTimeOrNull(message.scheduledAt),
  sent_at: writeTimeOrNull(message.sentAt),
  eml: `/sandbox/outbox/${encodeURIComponent(message.id)}.eml`,
});

/** A message with everything but the bytes of its attachments, which are in the `.eml`. */
export const messageView = (message: Message) => ({
  ...messageSummaryView({ ...message, subject: message.content.subject }),
  delivered_at: writeTimeOrNull(message.deliveredAt),
  bounced_at: writeTimeOrNull(message.bouncedAt),
  complained_at: writeTimeOrNull(message.complainedAt),
  next_due_at: writeTimeOrNull(message.dueAt),
  bounce: message.bounce,
  tags: message.tags,
  reply_to: message.content.reply_to,
  headers: message.content.headers,
  html: message.content.html,
  text: message.content.text,
  attachments: message.content.attachments.map(attachmentView),
  warnings: warningsOf(message),
  events: message.events.map((event) => ({ ...event, at: writeTimeOrNull(event.at) })),
});

const attachmentView = (attachment: Attachment) => ({
  filename: attachment.filename,
  content_type: attachment.content_type ?? null,
  content_id: attachment.content_id ?? null,
  ...("path" in attachment ? { path: attachment.path } : { bytes: decodedSize(attachment.content) }),
});

export const requestView = (request: LoggedRequest) => ({
  request_id: request.requestId,
  account: request.accountId,
  method: request.method,
  path: request.path,
  status: request.status,
  error_type: request.errorType,
  fields: request.fields,
  at: writeTimeOrNull(request.at),
});

export const membershipView = (email: string, membership: Membership) => ({
  email,
  list_id: membership.listId,
  status: membership.status,
  subscribed_at: writeTimeOrNull(membership.subscribedAt),
  unsubscribed_at: writeTimeOrNull(membership.unsubscribedAt),
});

/** What a sender may not expect in a message, in sentences. */
export function warningsOf({ content, events }: Message): string[] {
  const { missingVariables = [], attachments } = content;
  const warnings: string[] = [];
  for (const { type, detail } of events)
    if (type === relayFailed) warnings.push(`The SMTP server did not accept the message: ${detail}`);
  const names = missingVariables.map((name) => `{{${name}}}`).join(", ");
  if (names !== "")
    warnings.push(`These template variables have no value and were rendered empty: ${names}.`);
  const links = attachments.filter((attachment) => "path" in attachment).length;
  if (links > 0)
    warnings.push(
      `${count(links, "attachment was", "attachments were")} not downloaded: the sandbox runs without --downloads.`,
    );
  return warnings;
}
