import type { LoggedRequest, Message } from "../../domain/records.ts";
import {
  type Acceptance,
  ClosedError,
  type ContactChange,
  type ContactOutcome,
  type DueRun,
  type DueStep,
  type IdempotencyRecord,
  type InitialState,
  type MessagePage,
  type Page,
  type Replay,
  type SettingChange,
  type Store,
} from "../../domain/store.ts";
import { accept, changeContact } from "./acceptance.ts";
import { boundsOf } from "./bounds.ts";
import { DueSignal } from "./due-signal.ts";
import { changeMessage, changeScheduled, runDue } from "./message-changes.ts";
import { State } from "./state.ts";

/**
 * The store in plain JavaScript, for one process: it runs wherever JavaScript does, and ends with the process. What it returns is a copy or
 * is never changed.
 */
export class MemoryStore implements Store {
  readonly isShared = false;
  readonly #due = new DueSignal();
  readonly #newState: () => State;
  #state: State;
  #isClosed = false;

  /** @param mebibytes the most of messages, of logged requests and of idempotency records each */
  constructor(mebibytes?: number) {
    this.#newState = () => new State(boundsOf(mebibytes), (dueAt) => this.#due.note(dueAt));
    this.#state = this.#newState();
  }

  get generation(): object {
    return this.#state;
  }

  async refresh(): Promise<void> {
    this.#open();
  }

  setting(name: string): string | undefined {
    return this.#state.settings.get(name);
  }

  async changeSetting<Result>(
    name: string,
    change: (value: string | undefined) => SettingChange<Result>,
  ): Promise<Result> {
    const state = this.#open();
    const { value, result } = change(state.settings.get(name));
    state.set(name, value);
    return result;
  }

  nextSequence(): number {
    this.#state.sequence += 1;
    return this.#state.sequence;
  }

  countRequest(accountId: string, now: number, limit: number) {
    return this.#open().rates.count(accountId, now, limit);
  }

  async recall(record: Pick<IdempotencyRecord, "scope" | "key">, now: number): Promise<Replay | undefined> {
    return this.#open().idempotency.find(record, now);
  }

  async accept(acceptance: Acceptance) {
    return accept(this.#open(), acceptance);
  }

  async message(accountId: string, id: string) {
    return this.#open().messages.find(accountId, id);
  }

  async messages(page: MessagePage) {
    return this.#open().messages.list(page);
  }

  async summaries(page: MessagePage) {
    return this.#open().messages.summaries(page);
  }

  async reschedule(accountId: string, id: string, scheduledAt: number): Promise<boolean> {
    return changeScheduled(this.#open(), accountId, id, { scheduledAt, dueAt: scheduledAt });
  }

  async cancel(accountId: string, id: string): Promise<boolean> {
    return changeScheduled(this.#open(), accountId, id, { status: "canceled", dueAt: null });
  }

  async nextDue(): Promise<number | null> {
    return this.#open().messages.earliestDue();
  }

  async runDue(run: DueRun): Promise<number> {
    return runDue(this.#open(), run);
  }

  async change(accountId: string, id: string, step: (message: Message) => DueStep | undefined) {
    return changeMessage(this.#open(), accountId, id, step);
  }

  watchDue(listener: (dueAt: number) => void): void {
    this.#due.listen(listener);
  }

  async suppress(accountId: string, address: string, reason: string, at: number): Promise<void> {
    this.#open().suppress(accountId, { address, reason, at });
  }

  async unsuppress(accountId: string, address: string): Promise<boolean> {
    return this.#open().unsuppress(accountId, address);
  }

  async suppressions(accountId: string) {
    return structuredClone(this.#open().suppressions(accountId));
  }

  async used(accountId: string, now: number): Promise<number> {
    return this.#open().used(accountId, now);
  }

  async contact(accountId: string, email: string) {
    return structuredClone(this.#open().contact(accountId, email));
  }

  async contacts({ accountId, limit, after = "" }: { accountId: string; limit: number; after?: string }) {
    return structuredClone(this.#open().contacts(accountId, after).slice(0, limit));
  }

  async changeContact<Result>(change: ContactChange<Result>): Promise<ContactOutcome<Result>> {
    return changeContact(this.#open(), change);
  }

  logRequest(request: LoggedRequest, generation: object): void {
    if (generation === this.#state) this.#state.requestLog.add(request);
  }

  async loggedRequest(requestId: string) {
    return this.#open().requestLog.find(requestId);
  }

  async loggedRequests(page: Page) {
    return this.#open().requestLog.list(page);
  }

  async forget(now: number): Promise<void> {
    this.#open().forget(now);
  }

  async fill(state: InitialState): Promise<boolean> {
    const current = this.#open();
    if (current.settings.size > 0) return false;
    current.fill(structuredClone(state));
    return true;
  }

  async reset(state: InitialState): Promise<void> {
    this.#open();
    const next = this.#newState();
    next.fill(structuredClone(state));
    this.#state = next;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #open(): State {
    if (this.#isClosed) throw new ClosedError();
    return this.#state;
  }
}
