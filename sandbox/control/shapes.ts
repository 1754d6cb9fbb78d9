import type { Attachment, LoggedRequest, Membership, Message } from "../domain/records.ts";
import type { MessageSummary } from "../domain/store.ts";
import type { RelayState } from "../mail/relay-state.ts";
import { notesOf } from "./notes.ts";

/** A time as control calls tell it. */
export const instant = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();

/** How far a message has come on its way to the SMTP server; null where none was named, or it has not been tried yet. */
export const relayOf = (message: Message & { relay?: RelayState }): RelayState | null =>
  message.relay ?? null;

/** A message in a list. */
export const messageLine = (message: MessageSummary) => ({
  id: message.id,
  account: message.accountId,
  from: message.from,
  to: message.to,
  cc: message.cc,
  bcc: message.bcc,
  subject: message.subject,
  status: message.status,
  created_at: instant(message.createdAt),
  scheduled_at: instant(message.scheduledAt),
  sent_at: instant(message.sentAt),
  eml: `/sandbox/outbox/${encodeURIComponent(message.id)}.eml`,
});

/** All that is known of a message; of attachments only what they are, their bytes are in the `.eml`. */
export const wholeMessage = (message: Message) => ({
  ...messageLine({ ...message, subject: message.content.subject }),
  delivered_at: instant(message.deliveredAt),
  bounced_at: instant(message.bouncedAt),
  complained_at: instant(message.complainedAt),
  next_due_at: instant(message.dueAt),
  relay: relayOf(message),
  bounce: message.bounce,
  tags: message.tags,
  reply_to: message.content.reply_to,
  headers: message.content.headers,
  html: message.content.html,
  text: message.content.text,
  attachments: message.content.attachments.map(attachmentLine),
  notes: notesOf(message),
  events: message.events.map((event) => ({ ...event, at: instant(event.at) })),
});

const attachmentLine = (attachment: Attachment) => ({
  filename: attachment.filename,
  content_type: attachment.content_type ?? null,
  content_id: attachment.content_id ?? null,
  ...("path" in attachment
    ? { path: attachment.path }
    : { bytes: Buffer.byteLength(attachment.content, "base64") }),
});

export const callLine = (call: LoggedRequest) => ({
  request_id: call.requestId,
  account: call.accountId,
  method: call.method,
  path: call.path,
  status: call.status,
  error_type: call.errorType,
  fields: call.fields,
  at: instant(call.at),
});

export const membershipLine = (email: string, membership: Membership) => ({
  email,
  list_id: membership.listId,
  status: membership.status,
  subscribed_at: instant(membership.subscribedAt),
  unsubscribed_at: instant(membership.unsubscribedAt),
});
