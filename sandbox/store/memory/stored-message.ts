import type { DueMessage } from "../../domain/due-messages.ts";
import type { MessageSummary } from "../../domain/lists.ts";
import type { Message, MessageContent } from "../../domain/records.ts";
import type { PackedRecords, Place } from "./packed-records.ts";

/** A message and its place in the order of acceptance. With another due time it is another object. */
export interface Stored {
  readonly seq: number;
  readonly id: string;
  readonly accountId: string;
  readonly isListed: boolean;
  /** Null if nothing is due. */
  readonly dueAt: number | null;
  /** All but the content. With the subject: lists do not read the content, which may have large attachments. */
  summary: Place;
  readonly content: Place;
  /** About how many it takes. */
  readonly bytes: number;
  /** Not once it is removed, or replaced by another object. */
  isCurrent: boolean;
}

/** What the objects of a message take, and its later states, in bytes. */
const objects = 1_000;

export function storedMessage(
  message: Message,
  { seq, isListed, records }: { seq: number; isListed: boolean; records: PackedRecords },
): Stored {
  const { id, accountId, dueAt, content } = message;
  const summary = records.add(valuesOf(message, content.subject));
  const summaryBytes = records.addedBytes;
  return {
    ...{ seq, id, accountId, isListed, dueAt, isCurrent: true, summary },
    content: records.add(contentOf(content)),
    bytes: objects + summaryBytes + records.addedBytes,
  };
}

// Records are lists of values: the names of the properties would take more memory than the values.

type Content = ReturnType<typeof contentOf>;
const contentOf = ({ html, text, reply_to, headers, attachments, missingVariables }: MessageContent) =>
  [html, text, reply_to, headers, attachments, missingVariables] as const;

export const valuesOf = (message: DueMessage, subject: string) => {
  const { from, to, cc, bcc, tags, status, bounce, events, relay } = message;
  const { createdAt, scheduledAt, sentAt, deliveredAt, bouncedAt, complainedAt } = message;
  const times = [createdAt, scheduledAt, sentAt, deliveredAt, bouncedAt, complainedAt] as const;
  return [from, to, cc, bcc, tags, subject, status, bounce, events, relay, ...times] as const;
};

export function summaryOf({ id, accountId, dueAt, summary }: Stored, records: PackedRecords): MessageSummary {
  const [from, to, cc, bcc, tags, subject, status, bounce, events, relay, ...times] =
    records.read<ReturnType<typeof valuesOf>>(summary);
  const [createdAt, scheduledAt, sentAt, deliveredAt, bouncedAt, complainedAt] = times;
  return {
    ...{ id, accountId, from, to, cc, bcc, tags, subject, status, bounce, events, dueAt },
    ...{ createdAt, scheduledAt, sentAt, deliveredAt, bouncedAt, complainedAt, ...(relay && { relay }) },
  };
}

export function wholeMessage(stored: Stored, records: PackedRecords): Message {
  const { subject, ...state } = summaryOf(stored, records);
  const [html, text, reply_to, headers, attachments, missing] = records.read<Content>(stored.content);
  const content = { subject, html, text, reply_to, headers, attachments };
  return { ...state, content: missing ? { ...content, missingVariables: missing } : content };
}
