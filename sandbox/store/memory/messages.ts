import TinyQueue from "tinyqueue";
import { type Queued, runQueue } from "../../domain/due-run.ts";
import type { Message } from "../../domain/records.ts";
import { isOver } from "../../domain/retention.ts";
import { searchCondition, searchedMessages } from "../../domain/search.ts";
import type { DueRun, DueStep, MessagePage, MessageSummary, Page } from "../../domain/store.ts";
import { newest } from "./newest.ts";

/** A message and its place in the order of acceptance. */
interface Stored {
  seq: number;
  message: Message;
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

/** The most messages: beyond it the oldest go, except those that something is still due for. */
const mostMessages = 10_000;

/** How many go at once. */
const slack = 1_000;

/** The messages, by id, in the order of acceptance, and by due time. */
export class Messages {
  readonly #byId = new Map<string, Stored>();
  #listed: Stored[] = [];
  readonly #due = new TinyQueue<Due>([], (a, b) => a.at - b.at || a.stored.seq - b.stored.seq);
  #last = 0;
  /** With how many messages the oldest go. */
  #bound = mostMessages + slack;

  /** @throws Error when one of the ids is taken: the caller checks first, so that all messages are added or none */
  checkNew(messages: readonly Message[]): void {
    for (const { id } of messages)
      if (this.#byId.has(id)) throw new Error(`there is a message ${id} already`);
  }

  /** @param isListed false for a message that no request has sent */
  insert(message: Message, isListed = true): void {
    this.#last += 1;
    const stored: Stored = { seq: this.#last, message, gone: false, due: undefined };
    this.#byId.set(message.id, stored);
    if (isListed) this.#listed.push(stored);
    this.#queue(stored);
    if (this.#listed.length >= this.#bound) this.#dropOldest();
  }

  find(accountId: string, id: string): Message | undefined {
    const message = this.#byId.get(id)?.message;
    return message?.accountId === accountId ? message : undefined;
  }

  list({ search = "", ...page }: MessagePage): Message[] {
    if (search.trim() === "") return this.#page(page);
    const isFound = searchCondition(search);
    return this.#page({ ...page, limit: searchedMessages })
      .filter((message) => isFound({ ...message, subject: message.content.subject }))
      .slice(0, page.limit);
  }

  summaries(page: MessagePage): MessageSummary[] {
    return this.list(page).map(({ content, ...message }) => ({ ...message, subject: content.subject }));
  }

  #page(page: Page): Message[] {
    const before = page.before === undefined ? undefined : (this.#byId.get(page.before)?.seq ?? 0);
    const found = newest(this.#listed, ({ message }) => message.accountId, page, before);
    return found.map(({ message }) => message);
  }

  /** Replaces a message by its next state. */
  update(next: Omit<Message, "content">): void {
    const stored = this.#byId.get(next.id);
    if (stored === undefined) return;
    const { content, dueAt } = stored.message;
    stored.message = { ...next, content };
    if (next.dueAt !== dueAt) this.#queue(stored);
  }

  /** Those that an attempt to relay them has claimed. */
  claimed(): Message[] {
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
    this.#listed = this.#listed.filter(({ gone }) => !gone);
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
  }

  #dropOldest(): void {
    let surplus = this.#listed.length - mostMessages;
    for (const stored of this.#listed) {
      if (surplus <= 0) break;
      if (stored.message.dueAt !== null) continue;
      this.#drop(stored);
      surplus -= 1;
    }
    this.#listed = this.#listed.filter(({ gone }) => !gone);
    // Under load most of them are still to be delivered.
    this.#bound = Math.max(this.#listed.length, mostMessages) + slack;
  }

  #drop(stored: Stored): void {
    stored.gone = true;
    this.#byId.delete(stored.message.id);
  }
}
