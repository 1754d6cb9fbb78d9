import type { Message, MessageContent } from "../../domain/records.ts";
import type { DueMessage } from "../../domain/store.ts";
import { type ContentHeap, readContent, type StoredContent } from "./content-heap.ts";

/** A message and its place in the order of acceptance. */
export interface Stored {
  readonly seq: number;
  /** Never changed, but replaced. */
  message: DueMessage;
  readonly content: StoredContent;
  readonly isListed: boolean;
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

export function storedMessage(
  message: Message,
  { seq, isListed, contents }: { seq: number; isListed: boolean; contents: ContentHeap },
): Stored {
  const content = contents.add(message.content);
  const bytes = sizeOf(message) + content.end - content.start;
  return { seq, message: withoutContent(message), content, isListed, due: undefined, bytes };
}

type Emptied = DueMessage & { content?: MessageContent | null };

/** Setting it to null keeps the shape of the object, and is much faster than leaving it out. Most steps start from one without. */
export const withoutContent = (message: Emptied): Emptied =>
  message.content === null ? message : { ...message, content: null };

export const withContent = ({ message, content }: Stored): Message => ({
  ...message,
  content: readContent(content),
});

/** What the objects of a message take beside its texts, in bytes. */
const objects = 1_000;

function sizeOf({ from, to, cc, bcc, tags }: DueMessage): number {
  let size = objects + from.length;
  for (const address of to) size += address.length;
  for (const address of cc) size += address.length;
  for (const address of bcc) size += address.length;
  for (const name in tags) size += name.length + (tags[name]?.length ?? 0);
  return size;
}
