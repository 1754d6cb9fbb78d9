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
  /** What never changes, and is small. With the subject: lists do not read the content, which may have large attachments. */
  readonly envelope: Place;
  readonly content: Place;
  /** All else. */
  progress: Place;
  /** About how many it takes. */
  readonly bytes: number;
  /** Not once it is removed, or replaced by another object. */
  isCurrent: boolean;
}

/** What the objects of a message take, and its progress, in bytes. */
const objects = 1_000;

export function storedMessage(
  message: Message,
  { seq, isListed, records }: { seq: number; isListed: boolean; records: PackedRecords },
): Stored {
  const { id, accountId, dueAt } = message;
  const envelope = records.add(envelopeOf(message));
  const content = records.add(contentOf(message.content));
  const progress = records.add(progressOf(message));
  const bytes = objects + records.sizeOf(envelope) + records.sizeOf(content);
  return { seq, id, accountId, isListed, dueAt, envelope, content, progress, bytes, isCurrent: true };
}

// Records are lists of values: the names of the properties would take more memory than the values.

type Envelope = ReturnType<typeof envelopeOf>;
const envelopeOf = ({ from, to, cc, bcc, tags, content }: Message) =>
  [from, to, cc, bcc, tags, content.subject] as const;

type Content = ReturnType<typeof contentOf>;
const contentOf = ({ html, text, reply_to, headers, attachments, missingVariables }: MessageContent) =>
  [html, text, reply_to, headers, attachments, missingVariables] as const;

type Progress = ReturnType<typeof progressOf>;
export const progressOf = (message: DueMessage) => {
  const { status, createdAt, scheduledAt, sentAt, deliveredAt, bouncedAt, complainedAt } = message;
  const times = [createdAt, scheduledAt, sentAt, deliveredAt, bouncedAt, complainedAt] as const;
  return [status, ...times, message.bounce, message.events, message.relay] as const;
};

export function summaryOf(stored: Stored, records: PackedRecords): MessageSummary {
  const [from, to, cc, bcc, tags, subject] = records.read<Envelope>(stored.envelope);
  const [
    status,
    createdAt,
    scheduledAt,
    sentAt,
    deliveredAt,
    bouncedAt,
    complainedAt,
    bounce,
    events,
    relay,
  ] = records.read<Progress>(stored.progress);
  return {
    ...{ id: stored.id, accountId: stored.accountId, from, to, cc, bcc, tags, subject, status },
    ...{ createdAt, scheduledAt, sentAt, deliveredAt, bouncedAt, complainedAt, bounce, events },
    ...{ dueAt: stored.dueAt, ...(relay && { relay }) },
  };
}

export function wholeMessage(stored: Stored, records: PackedRecords): Message {
  const { subject, ...state } = summaryOf(stored, records);
  const [html, text, reply_to, headers, attachments, missing] = records.read<Content>(stored.content);
  const content = { subject, html, text, reply_to, headers, attachments };
  return { ...state, content: missing ? { ...content, missingVariables: missing } : content };
}
