import type { Message, MessageStatus } from "../domain/records.ts";
import type { DueMessage, MessageSummary } from "../domain/store.ts";

/** A row of the table of messages, without the content. Both databases have the same columns. */
export interface MessageRow {
  seq: number;
  id: string;
  account: string;
  status: string;
  created_at: number;
  scheduled_at: number | null;
  sent_at: number | null;
  due_at: number | null;
  envelope: string;
  progress: string;
}

export type WholeRow = MessageRow & { content: string };

/** What never changes, and is small. With the subject, so that lists do not read the content. */
export const envelopeOf = ({ from, to, cc, bcc, tags, content: { subject } }: Message): string =>
  JSON.stringify({ from, to, cc, bcc, tags, subject });

/** What changes and has no column of its own. */
export const progressOf = (message: DueMessage): string => {
  const { deliveredAt, bouncedAt, complainedAt, bounce, events } = message;
  return JSON.stringify({ deliveredAt, bouncedAt, complainedAt, bounce, events });
};

export const timesOf = (row: Pick<MessageRow, "status" | "created_at" | "scheduled_at" | "sent_at">) => ({
  status: row.status as MessageStatus,
  createdAt: row.created_at,
  scheduledAt: row.scheduled_at,
  sentAt: row.sent_at,
});

export function fromRow(row: MessageRow): DueMessage {
  const { subject: _, ...envelope } = JSON.parse(row.envelope);
  return {
    id: row.id,
    accountId: row.account,
    ...envelope,
    ...timesOf(row),
    ...JSON.parse(row.progress),
    dueAt: row.due_at,
  };
}

export const withContent = (row: WholeRow): Message => ({
  ...fromRow(row),
  content: JSON.parse(row.content),
});

export const summaryOf = (row: MessageRow): MessageSummary => ({
  ...fromRow(row),
  subject: String(JSON.parse(row.envelope).subject ?? ""),
});
