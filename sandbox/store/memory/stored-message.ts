import type { DueMessage } from "../../domain/due-messages.ts";
import type { MessageSummary } from "../../domain/lists.ts";
import type { Message, MessageContent } from "../../domain/records.ts";
import type { PackedRecords, RecordLocation } from "./packed-records.ts";

/** A message and its place in the order of acceptance. */
export interface Stored {
  readonly seq: number;
  readonly id: string;
  readonly accountId: string;
  readonly isListed: boolean;
  /** Null if nothing is due, and before it is in the queue. */
  dueAt: number | null;
  /** The state and the subject. Lists do not read the content. */
  summary: RecordLocation;
  /** The content, after the first state if it is small. */
  readonly content: RecordLocation;
  /** About how many it takes. */
  readonly bytes: number;
}

/** What the objects of a message take, and its later states, in bytes. */
const objects = 1_000;

/** Texts of more characters are not parsed again with each step. */
const smallText = 4_096;

export function storedMessage(
  message: Message,
  { seq, isListed, records }: { seq: number; isListed: boolean; records: PackedRecords },
): Stored {
  const { id, accountId, content } = message;
  const state = stateOf(message, content.subject);
  const isSingleRecord = isSmall(content);
  const summary = isSingleRecord ? records.add(state, contentOf(content)) : records.add(state);
  const summaryBytes = records.addedBytes;
  const location = isSingleRecord ? summary : records.add(null, contentOf(content));
  const bytes = objects + summaryBytes + (isSingleRecord ? 0 : records.addedBytes);
  return { seq, id, accountId, isListed, dueAt: null, summary, content: location, bytes };
}

/** Adds the next state of a message in place of its last one. */
export function changeState(stored: Stored, next: DueMessage, subject: string, records: PackedRecords): void {
  if (stored.summary !== stored.content) records.remove(stored.summary);
  stored.summary = records.add(stateOf(next, subject));
}

export function removeRecords({ summary, content }: Stored, records: PackedRecords): void {
  records.remove(summary);
  if (content !== summary) records.remove(content);
}

const isSmall = ({ html, text, attachments }: MessageContent): boolean =>
  attachments.length === 0 && (html?.length ?? 0) + (text?.length ?? 0) <= smallText;

// Records are lists of values, and their times count from the creation: names and whole times would take more memory than all values.

type State = ReturnType<typeof stateOf>;
type Content = ReturnType<typeof contentOf>;

const contentOf = ({ html, text, reply_to, headers, attachments, missingVariables }: MessageContent) =>
  [html, text, reply_to, headers, attachments, missingVariables] as const;

const since = (start: number, time: number | null): number | null => (time === null ? null : time - start);

const after = (start: number, time: number | null): number | null => (time === null ? null : time + start);

const stateOf = (message: DueMessage, subject: string) => {
  const { createdAt } = message;
  return [
    message.from,
    message.to,
    message.cc,
    message.bcc,
    message.tags,
    subject,
    message.status,
    message.bounce,
    message.events.map(({ type, at, detail }) => [type, at - createdAt, detail] as const),
    message.relay,
    createdAt,
    [
      since(createdAt, message.scheduledAt),
      since(createdAt, message.sentAt),
      since(createdAt, message.deliveredAt),
      since(createdAt, message.bouncedAt),
      since(createdAt, message.complainedAt),
    ],
  ] as const;
};

export function summaryOf({ id, accountId, dueAt, summary }: Stored, records: PackedRecords): MessageSummary {
  const [from, to, cc, bcc, tags, subject, status, bounce, events, relay, createdAt, times] =
    records.read<State>(summary);
  const [scheduled, sent, delivered, bounced, complained] = times;
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
  if (relay) message.relay = relay;
  return message;
}

export function wholeMessage(stored: Stored, records: PackedRecords): Message {
  const { subject, ...state } = summaryOf(stored, records);
  const [html, text, reply_to, headers, attachments, missing] = records.readMore<Content>(stored.content);
  const content = { subject, html, text, reply_to, headers, attachments };
  return { ...state, content: missing ? { ...content, missingVariables: missing } : content };
}
