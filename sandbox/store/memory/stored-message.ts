import type { DueMessage } from "../../domain/due-messages.ts";
import type { MessageSummary } from "../../domain/lists.ts";
import type { Message, MessageContent } from "../../domain/records.ts";
import { type Packed, type PackedRecords, sizeOf, unpacked } from "./packed-records.ts";

/** A message and its place in the order of acceptance. */
export interface Stored {
  readonly seq: number;
  readonly id: string;
  readonly accountId: string;
  readonly isListed: boolean;
  /** All of the message but its content. */
  state: Packed;
  readonly content: Packed;
  /** Lists show it, without reading the content, which may have large attachments. */
  readonly subject: MessageContent["subject"];
  /** When it is due; undefined if nothing is due. */
  due: Due | undefined;
  /** About how many it takes. */
  readonly bytes: number;
}

/** A due time of a message, obsolete once the message has another. It may be moved away from a time and back. */
export interface Due {
  at: number;
  stored: Stored;
}

/** What the objects of a message take, and its later states, in bytes. */
const objects = 1_000;

export function storedMessage(
  message: Message,
  { seq, isListed, records }: { seq: number; isListed: boolean; records: PackedRecords },
): Stored {
  const {
    id,
    accountId,
    content: { subject },
  } = message;
  const state = records.add(withoutContent(message));
  const content = records.add(message.content);
  const bytes = objects + sizeOf(state) + sizeOf(content);
  return { seq, id, accountId, isListed, state, content, subject, due: undefined, bytes };
}

/** Replaces a message by its next state. */
export function replaceState(stored: Stored, next: DueMessage, records: PackedRecords): void {
  records.remove(stored.state);
  stored.state = records.add(withoutContent(next));
}

/** JSON omits it. Setting it is much faster than leaving it out. */
const withoutContent = (message: DueMessage): object => ({ ...message, content: undefined });

export const stateOf = ({ state }: Stored): DueMessage => unpacked(state);

export const summaryOf = (stored: Stored): MessageSummary => ({
  ...stateOf(stored),
  subject: stored.subject,
});

export const wholeMessage = (stored: Stored): Message => ({
  ...stateOf(stored),
  content: unpacked<MessageContent>(stored.content),
});
