import { type Queued, runQueue } from "../../domain/due.ts";
import type { Message } from "../../domain/records.ts";
import { isOver, searchCondition, searchedMessages } from "../../domain/retention.ts";
import type { DueMessage, DueRun, DueStep, MessagePage, MessageSummary, Page } from "../../domain/store.ts";
import type { Bound } from "./bounds.ts";
import { DueQueue } from "./due-queue.ts";
import { PackedRecords } from "./packed-records.ts";
import {
  changeProgress,
  removeRecords,
  type Stored,
  storedMessage,
  summaryOf,
  wholeMessage,
} from "./stored-message.ts";

type QueuedMessage = Queued & { stored: Stored };

/** The messages, by id and by due time. Beyond the bound the oldest go for which nothing is due any more. */
export class Messages {
  readonly #bound: Bound;
  /** In the order of acceptance. */
  readonly #byId = new Map<string, Stored>();
  readonly #records = new PackedRecords();
  readonly #due = new DueQueue();
  /** Those of the listed ones that nothing is due for, the longest first. */
  readonly #settled = new Set<Stored>();
  /** Kept, because a new one passes all places of those that are gone. */
  #oldestSettled = this.#settled.values();
  /** The listed ones, and about how many bytes they take. */
  readonly #kept = { number: 0, bytes: 0 };
  #last = 0;

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  /** @throws Error when one of the ids is taken: the caller checks first, so that all messages are added or none */
  checkNew(messages: readonly Message[]): void {
    for (const { id } of messages)
      if (this.#byId.has(id)) throw new Error(`there is a message ${id} already`);
  }

  /** @param isListed false for a message that no request has sent */
  insert(message: Message, isListed = true): void {
    this.#last += 1;
    const stored = storedMessage(message, { seq: this.#last, isListed, records: this.#records });
    if (isListed) {
      this.#kept.number += 1;
      this.#kept.bytes += stored.bytes;
    }
    this.#byId.set(stored.id, stored);
    this.#move(stored, message.dueAt);
  }

  find(accountId: string, id: string): Message | undefined {
    const stored = this.#byId.get(id);
    return stored?.accountId === accountId ? wholeMessage(stored, this.#records) : undefined;
  }

  list(page: MessagePage): Message[] {
    return this.#found(page).map((stored) => wholeMessage(stored, this.#records));
  }

  summaries(page: MessagePage): MessageSummary[] {
    return this.#found(page).map((stored) => this.#summaryOf(stored));
  }

  #found({ search = "", ...page }: MessagePage): Stored[] {
    if (search.trim() === "") return this.#page(page);
    const isFound = searchCondition(search);
    return this.#page({ ...page, limit: searchedMessages })
      .filter((stored) => isFound(this.#summaryOf(stored)))
      .slice(0, page.limit);
  }

  #page({ accountId, limit, before }: Page): Stored[] {
    const last = before === undefined ? Number.POSITIVE_INFINITY : (this.#byId.get(before)?.seq ?? 0);
    const isWanted = (stored: Stored): boolean =>
      stored.isListed && stored.seq < last && (accountId === undefined || stored.accountId === accountId);
    return [...this.#byId.values()].reverse().values().filter(isWanted).take(limit).toArray();
  }

  /** Replaces a message by its next state. Its content stays. */
  update(next: DueMessage): void {
    const stored = this.#byId.get(next.id);
    if (stored !== undefined) this.#change(stored, next);
  }

  #change(stored: Stored, next: DueMessage): void {
    changeProgress(stored, next, this.#records);
    if (next.dueAt === stored.dueAt) return;
    this.#settled.delete(stored);
    this.#move(stored, next.dueAt);
  }

  earliestDue(): number | null {
    return this.#due.earliest();
  }

  /** Processes due messages. @returns the number of steps and their effects */
  runDue(run: DueRun): { steps: number; effects: DueStep[] } {
    const queue = this.#due
      .due(run.until, run.limit)
      .map((stored): QueuedMessage => ({ seq: stored.seq, message: this.#summaryOf(stored), stored }));
    const { steps, changed, effects } = runQueue(queue, run);
    for (const { stored, message } of changed) this.#change(stored, message);
    return { steps, effects };
  }

  forget(now: number): void {
    for (const stored of this.#byId.values()) if (isOver(this.#summaryOf(stored), now)) this.#drop(stored);
    // V8 keeps what was deleted since an iterator was last used.
    this.#oldestSettled = this.#settled.values();
  }

  #move(stored: Stored, dueAt: number | null): void {
    this.#due.move(stored, dueAt);
    if (!stored.isListed) return;
    if (dueAt === null) this.#settled.add(stored);
    this.#dropSurplus();
  }

  #summaryOf(stored: Stored): MessageSummary {
    return summaryOf(stored, this.#records);
  }

  #dropSurplus(): void {
    const { number, bytes } = this.#bound;
    while (this.#settled.size > 0 && (this.#kept.number > number || this.#kept.bytes > bytes))
      this.#drop(this.#oldestSettled.next().value as Stored);
  }

  #drop(stored: Stored): void {
    this.#byId.delete(stored.id);
    this.#due.move(stored, null);
    removeRecords(stored, this.#records);
    if (!stored.isListed) return;
    this.#settled.delete(stored);
    this.#kept.number -= 1;
    this.#kept.bytes -= stored.bytes;
  }
}
