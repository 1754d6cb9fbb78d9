import type { Message, MessageStatus } from "../../domain/records.ts";
import type { DueMessage, MessageSummary } from "../../domain/store.ts";

/** A row of the table of messages, without the content. */
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

/** The columns of a message without its content. */
export const columns =
  "seq, id, account, status, created_at, scheduled_at, sent_at, due_at, envelope, progress";

/** What never changes, and is small. With the subject, so that lists do not read the content. */
const envelopeOf = ({ from, to, cc, bcc, tags, content: { subject } }: Message): string =>
  JSON.stringify({ from, to, cc, bcc, tags, subject });

/** What changes and has no column of its own. */
export const progressOf = (message: DueMessage): string => {
  const { deliveredAt, bouncedAt, complainedAt, bounce, events, relay } = message;
  return JSON.stringify({ deliveredAt, bouncedAt, complainedAt, bounce, events, relay });
};

/** The values of the columns of new messages, a list per column. */
export const newRows = (messages: readonly Message[]) => [
  messages.map(({ id }) => id),
  messages.map(({ accountId }) => accountId),
  messages.map(({ status }) => status as string),
  messages.map(({ createdAt }) => createdAt),
  messages.map(({ scheduledAt }) => scheduledAt),
  messages.map(({ sentAt }) => sentAt),
  messages.map(({ dueAt }) => dueAt),
  messages.map(envelopeOf),
  messages.map(progressOf),
  messages.map(({ content }) => JSON.stringify(content)),
];

/** Inserts messages in their order; the values of `newRows` begin at the parameter `$first`. */
export const insertRows = (first: number, listed: boolean): string => {
  const types = ["text", "text", "text", "bigint", "bigint", "bigint", "bigint", "text", "text", "text"];
  const lists = types.map((type, index) => `$${first + index}::${type}[]`).join(", ");
  return `INSERT INTO message (epoch, listed, id, account, status, created_at, scheduled_at, sent_at, due_at, envelope, progress, content)
    SELECT $1, ${listed}, id, account, status, created_at, scheduled_at, sent_at, due_at, envelope, progress, content
    FROM unnest(${lists}) WITH ORDINALITY
      AS new (id, account, status, created_at, scheduled_at, sent_at, due_at, envelope, progress, content, position)
    ORDER BY position`;
};

/** The earliest due time of the messages; undefined if none is due. */
export function earliestDue(messages: Iterable<Pick<Message, "dueAt">>): number | undefined {
  let earliest: number | undefined;
  for (const { dueAt } of messages)
    if (dueAt !== null && (earliest === undefined || dueAt < earliest)) earliest = dueAt;
  return earliest;
}

export function fromRow(row: MessageRow): DueMessage {
  const { subject: _, ...envelope } = JSON.parse(row.envelope);
  return {
    id: row.id,
    accountId: row.account,
    ...envelope,
    status: row.status as MessageStatus,
    createdAt: row.created_at,
    scheduledAt: row.scheduled_at,
    sentAt: row.sent_at,
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
