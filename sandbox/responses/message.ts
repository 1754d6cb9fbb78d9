import type { Message, MessageStatus } from "../domain/records.ts";
import { writeTime, writeTimeOrNull } from "../domain/times.ts";

/** `status_description` by status. */
const descriptions: Readonly<Record<MessageStatus, string>> = {
  scheduled: "The message is waiting for its time.",
  queued: "The message is queued.",
  sent: "The message is on its way to the receiving server.",
  delivered: "The receiving server accepted the message.",
  delayed: "The message is delayed.",
  bounced: "The receiving server rejected the message.",
  complained: "The recipient marked the message as spam.",
  rejected: "The message was rejected.",
  failed: "The message failed.",
  canceled: "The message was canceled before it was sent.",
};

export function renderMessage(message: Message): string {
  return JSON.stringify({
    id: message.id,
    from: message.from,
    to: message.to,
    subject: message.content.subject,
    tags: message.tags,
    status: message.status,
    status_description: descriptions[message.status],
    scheduled_at: writeTimeOrNull(message.scheduledAt),
    sent_at: writeTimeOrNull(message.sentAt),
    delivered_at: writeTimeOrNull(message.deliveredAt),
    bounced_at: writeTimeOrNull(message.bouncedAt),
    complained_at: writeTimeOrNull(message.complainedAt),
    bounce: message.bounce,
    events: message.events.map(({ type, at, detail }) => ({ type, at: writeTime(at), detail })),
  });
}
