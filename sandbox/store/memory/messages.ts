import TinyQueue from "tinyqueue";
import { type Queued, runQueue } from "../../domain/due-run.ts";
import type { Message, MessageContent } from "../../domain/records.ts";
import { isOver } from "../../domain/retention.ts";
import { searchCondition, searchedMessages } from "../../domain/search.ts";
import type { DueMessage, DueRun, DueStep, MessagePage, MessageSummary, Page } from "../../domain/store.ts";
import { ContentHeap, readContent, type StoredContent } from "./content-heap.ts";
import { newest } from "./newest.ts";

/** A message and its place in the order of acceptance. */
interface Stored {
  seq: number;
  /** Never changed, but replaced. */
  message: DueMessage;
  content: StoredContent;
  isListed: boolean;
  /** Whether it is forgotten. */
  gone: boolean;
  /** When it is due; undefined if nothing is due. */
  due: Due | undefined;
}

/** A due time of a message, obsolete once the message has another. It may be moved away from a time and back. */
interface Due {
  at: number;
  stored: Stored;
}

/** The most messages: beyond it the oldest go for which nothing is due any more. */
const mostMessages = 10_000;

/** How many go at once. */
const slack = 1_000;

/** The messages, by id, in the order of acceptance, and by due time. */
export class Messages {
  readonly #byId = new Map<string, Stored>();
  readonly #contents = new ContentHeap();
  /** Some of them may be gone. */
  #listed: Stored[] = [];
  /** Those of the listed ones that nothing is due for, the longest first. */
  #settled: Stored[] = [];
  #gone = 0;
  readonly #due = new TinyQueue<Due>([], (a, b) => a.at - b.at || a.stored.seq - b.stored.seq);
  #last = 0;

  /** @throws Error when one of the ids is taken: the caller checks first, so that all messages are added or none */
  checkNew(messages: readonly Message[]): void {
    for (const { id } of messages)
      if (this.#byId.has(id)) throw new Error(`there is a message ${id} already`);
  }

  /** @param isListed false for a message that no request has sent */
  insert(message: Message, isListed = true): void {
    this.#last += 1;
    const content = this.#contents.add(message.content);
    const stored: Stored = {
      ...{ seq: this.#last, message: withoutContent(message), content },
      ...{ isListed, gone: false, due: undefined },
    };
    this.#byId.set(message.id, stored);
    if (isListed) this.#listed.push(stored);
    this.#queue(stored);
    const surplus = this.#listed.length - this.#gone - mostMessages;
    if (surplus >= slack && this.#settled.length >= slack) this.#dropSettled(surplus);
  }

  find(accountId: string, id: string): Message | undefined {
    const stored = this.#byId.get(id);
    return stored?.message.accountId === accountId ? withContent(stored) : undefined;
  }

  list({ search = "", ...page }: MessagePage): Message[] {
    if (search.trim() === "") return this.#page(page).map(withContent);
    const isFound = searchCondition(search);
    return this.#page({ ...page, limit: searchedMessages })
      .map(withContent)
      .filter((message) => isFound({ ...message, subject: message.content.subject }))
      .slice(0, page.limit);
  }

  summaries(page: MessagePage): MessageSummary[] {
    return this.list(page).map(({ content, ...message }) => ({ ...message, subject: content.subject }));
  }

  #page({ accountId, limit, before }: Page): Stored[] {
    const last = before === undefined ? Number.POSITIVE_INFINITY : (this.#byId.get(before)?.seq ?? 0);
    const isWanted = ({ gone, seq, message }: Stored): boolean =>
      !gone && seq < last && (accountId === undefined || message.accountId === accountId);
    return newest(this.#listed, isWanted, limit);
  }

  /** Replaces a message by its next state. Its content stays. */
  update(next: DueMessage): void {
    const stored = this.#byId.get(next.id);
    if (stored === undefined) return;
    const { dueAt } = stored.message;
    stored.message = withoutContent(next);
    if (next.dueAt !== dueAt) this.#queue(stored);
  }

  /** Those that an attempt to relay them has claimed. */
  claimed(): DueMessage[] {
    const all = Array.from(this.#byId.values(), ({ message }) => message);
    return all.filter(({ relay }) => relay?.state === "claimed" || relay?.state === "sending");
  }

  earliestDue(): number | null {
    return this.#nextDue()?.at ?? null;
  }

  /** Processes due messages. @returns the number of steps and their effects */
  runDue(run: DueRun): { steps: number; effects: DueStep[] } {
    const taken: Due[] = [];
    for (let due = this.#nextDue(); taken.length < run.limit; due = this.#nextDue()) {
      if (due === undefined || due.at > run.until) break;
      taken.push(due);
      this.#due.pop();
    }
    try {
      const queue: Queued[] = taken.map(({ stored: { seq, message } }) => ({ seq, message }));
      const { steps, changed, effects } = runQueue(queue, run);
      for (const { message } of changed) this.update(message);
      return { steps, effects };
    } finally {
      // Those without a step, or with one that left their time as it was.
      for (const due of taken) if (due.stored.due === due) this.#due.push(due);
    }
  }

  forget(now: number): void {
    for (const stored of this.#byId.values()) if (isOver(stored.message, now)) this.#drop(stored);
    this.#removeGone();
  }

  #nextDue(): Due | undefined {
    for (let due = this.#due.peek(); due !== undefined; due = this.#due.peek()) {
      if (!due.stored.gone && due.stored.due === due) return due;
      this.#due.pop();
    }
    return undefined;
  }

  #queue(stored: Stored): void {
    const at = stored.message.dueAt;
    stored.due = at === null ? undefined : { at, stored };
    if (stored.due !== undefined) this.#due.push(stored.due);
    else if (stored.isListed) this.#settled.push(stored);
  }

  #dropSettled(surplus: number): void {
    for (const stored of this.#settled.splice(0, surplus))
      if (!stored.gone && stored.message.dueAt === null) this.#drop(stored);
    // Removing them copies the rest, so it waits until they are many.
    if (this.#gone > this.#listed.length / 4) this.#removeGone();
  }

  #removeGone(): void {
    this.#listed = this.#listed.filter(({ gone }) => !gone);
    this.#settled = this.#settled.filter(({ gone }) => !gone);
    this.#gone = 0;
  }

  #drop(stored: Stored): void {
    stored.gone = true;
    if (stored.isListed) this.#gone += 1;
    this.#byId.delete(stored.message.id);
  }
}

type Emptied = DueMessage & { content?: MessageContent | null };

/** Setting it to null keeps the shape of the object, and is much faster than leaving it out. */
const withoutContent = (message: Emptied): Emptied => ({ ...message, content: null });

const withContent = ({ message, content }: Stored): Message => ({
  ...message,
  content: readContent(content),
});
