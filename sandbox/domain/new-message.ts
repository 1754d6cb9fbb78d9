import { firstDue, type MailRules } from "./due.ts";
import { nextStatus } from "./message-states.ts";
import type { Recipients, SplitRecipients } from "./recipients.ts";
import type { Message, MessageContent } from "./records.ts";

/** A valid message. Which of its recipients are suppressed is known once it is accepted. */
export interface Draft {
  from: string;
  recipients: Recipients;
  tags: Record<string, string>;
  content: MessageContent;
  /** Null for an immediate send. */
  scheduledAt: number | null;
}

export interface Taking {
  id: string;
  accountId: string;
  now: number;
  recipients: SplitRecipients;
}

/** The message of an accepted draft: `sent` or `scheduled`. */
export function newMessage(
  draft: Draft,
  { id, accountId, now, recipients }: Taking,
  rules: MailRules,
): Message {
  const scheduled = draft.scheduledAt !== null;
  return {
    id,
    accountId,
    from: draft.from,
    to: recipients.to,
    cc: recipients.cc,
    bcc: recipients.bcc,
    tags: draft.tags,
    content: draft.content,
    status: nextStatus(null, scheduled ? "schedule" : "send") ?? "sent",
    createdAt: now,
    scheduledAt: draft.scheduledAt,
    sentAt: scheduled ? null : now,
    deliveredAt: null,
    bouncedAt: null,
    complainedAt: null,
    bounce: null,
    events: scheduled ? [] : [{ type: "sent", at: now, detail: null }],
    dueAt: draft.scheduledAt ?? firstDue(recipients, now, rules),
  };
}
