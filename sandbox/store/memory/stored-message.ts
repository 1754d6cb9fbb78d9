import type { Message, MessageContent } from "../../domain/records.ts";
import type { DueMessage, MessageSummary } from "../../domain/store.ts";
import type { PackedRecords, RecordLocation } from "./packed-records.ts";

/** A message and its place in the order of acceptance. */
export interface Stored {
  readonly seq: number;
  readonly id: string;
  readonly accountId: string;
  readonly isListed: boolean;
  /** Null if nothing is due, and before it is in the queue. */
  dueAt: number | null;
  /** What never changes, with the first progress; and the content as a second value, which lists do not read. */
  readonly record: RecordLocation;
  /** The last progress; null as long as it is the first one. */
  progress: RecordLocation | null;
  /** About how many it takes. */
  readonly bytes: number;
}

/** What the objects of a message take, and its later progress, in bytes. */
const objects = 1_000;

export function storedMessage(
  message: Message,
  { seq, isListed, records }: { seq: number; isListed: boolean; records: PackedRecords },
): Stored {
  const { id, accountId } = message;
  const record = records.add(stateOf(message), contentOf(message.content));
  const bytes = objects + records.addedBytes;
  return { seq, id, accountId, isListed, dueAt: null, record, progress: null, bytes };
}

/** Adds the progress of a message in place of its last one. */
export function changeProgress(stored: Stored, next: DueMessage, records: PackedRecords): void {
  if (stored.progress !== null) records.remove(stored.progress);
  stored.progress = records.add(progressOf(next));
}

export function removeRecords({ record, progress }: Stored, records: PackedRecords): void {
  records.remove(record);
  if (progress !== null) records.remove(progress);
}

// Records are lists of values, and their times count from the creation: names and whole times would take more memory than all values.

type State = ReturnType<typeof stateOf>;
type Progress = ReturnType<typeof progressOf>;
type Content = ReturnType<typeof contentOf>;

const contentOf = ({ html, text, reply_to, headers, attachments, missingVariables }: MessageContent) =>
  [html, text, reply_to, headers, attachments, missingVariables] as const;

const since = (start: number, time: number | null): number | null => (time === null ? null : time - start);

const after = (start: number, time: number | null): number | null => (time === null ? null : time + start);

const stateOf = (message: Message) =>
  [
    message.from,
    message.to,
    message.cc,
    message.bcc,
    message.tags,
    message.content.subject,
    message.createdAt,
    progressOf(message),
  ] as const;

const progressOf = (message: DueMessage) => {
  const { createdAt } = message;
  return [
    message.status,
    message.bounce,
    message.events.map(({ type, at, detail }) => [type, at - createdAt, detail] as const),
    since(createdAt, message.scheduledAt),
    since(createdAt, message.sentAt),
    since(createdAt, message.deliveredAt),
    since(createdAt, message.bouncedAt),
    since(createdAt, message.complainedAt),
  ] as const;
};

export function summaryOf(stored: Stored, records: PackedRecords): MessageSummary {
  const { id, accountId, dueAt, record, progress } = stored;
  const [from, to, cc, bcc, tags, subject, createdAt, first] = records.read<State>(record);
  const [status, bounce, events, scheduled, sent, delivered, bounced, complained] =
    progress === null ? first : records.read<Progress>(progress);
  const message: MessageSummary = {
    id,
    accountId,
    from,
    to,
    cc,
    bcc,
    tags,
    subject,
    status,
    bounce,
    events: events.map(([type, at, detail]) => ({ type, at: at + createdAt, detail })),
    dueAt,
    createdAt,
    scheduledAt: after(createdAt, scheduled),
    sentAt: after(createdAt, sent),
    deliveredAt: after(createdAt, delivered),
    bouncedAt: after(createdAt, bounced),
    complainedAt: after(createdAt, complained),
  };
  return message;
}

export function wholeMessage(stored: Stored, records: PackedRecords): Message {
  const { subject, ...state } = summaryOf(stored, records);
  const [html, text, reply_to, headers, attachments, missing] = records.readMore<Content>(stored.record);
  const content = { subject, html, text, reply_to, headers, attachments };
  return { ...state, content: missing ? { ...content, missingVariables: missing } : content };
}
