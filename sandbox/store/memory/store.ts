import { ClosedError } from "../../domain/closed.ts";
import type { Message } from "../../domain/records.ts";
import type {
  Acceptance,
  ContactChange,
  ContactOutcome,
  DueRun,
  DueStep,
  IdempotencyRecord,
  InitialState,
  MessagePage,
  Page,
  Replay,
  SettingChange,
  Store,
} from "../../domain/store.ts";
import { State } from "./state.ts";

type LoggedRequest = Parameters<Store["logRequest"]>[0];

/**
 * The store in plain JavaScript, for one process: it runs wherever JavaScript does, and ends with the process. What it returns is a copy or
 * is never changed.
 */
export class MemoryStore implements Store {
  readonly isShared = false;
  #state = new State();
  #isClosed = false;
  #onDue: (dueAt: number) => void = () => {};
  /** The earliest due time written in this turn. */
  #earliestDue = Number.POSITIVE_INFINITY;

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

  async countRequest(accountId: string, now: number, limit: number) {
    return this.#open().rates.count(accountId, now, limit);
  }

  async recall(record: Pick<IdempotencyRecord, "scope" | "key">, now: number): Promise<Replay | undefined> {
    return this.#open().idempotency.find(record, now);
  }

  async accept({ accountId, now, recipients, idempotency, decide }: Acceptance) {
    const state = this.#open();
    const replay = idempotency === null ? undefined : state.idempotency.find(idempotency, now);
    if (replay !== undefined) return { replay };
    const decision = decide(state.suppressedAmong(accountId, recipients));
    if ("error" in decision) return decision;
    const { messages, response, counted } = decision;
    state.messages.checkNew(messages);
    if (idempotency !== null) state.idempotency.insert(idempotency, response);
    const used = state.count(accountId, now, counted);
    for (const message of messages) this.#insert(message);
    return { response, replayed: false as const, used };
  }

  async message(accountId: string, id: string) {
    const message = this.#open().messages.find(accountId, id);
    return message && structuredClone(message);
  }

  async messages(page: MessagePage) {
    return structuredClone(this.#open().messages.list(page));
  }

  async summaries(page: MessagePage) {
    return structuredClone(this.#open().messages.summaries(page));
  }

  async reschedule(accountId: string, id: string, scheduledAt: number): Promise<boolean> {
    return this.#changeScheduled(accountId, id, { scheduledAt, dueAt: scheduledAt });
  }

  async cancel(accountId: string, id: string): Promise<boolean> {
    return this.#changeScheduled(accountId, id, { status: "canceled", dueAt: null });
  }

  async nextDue(): Promise<number | null> {
    return this.#open().messages.earliestDue();
  }

  async runDue(run: DueRun): Promise<number> {
    const state = this.#open();
    const { steps, effects } = state.messages.runDue(run);
    for (const effect of effects) state.apply(effect);
    if (run.setting !== undefined) {
      const { name, change } = run.setting;
      state.set(name, change(state.settings.get(name)));
    }
    return steps;
  }

  async releaseClaims(dueAt: number, now: number): Promise<number> {
    const claimed = this.#open().messages.claimed();
    const ended = claimed.filter(({ relay }) => (relay?.heldUntil ?? 0) <= now);
    for (const message of ended)
      if (message.dueAt !== null && message.dueAt > dueAt) this.#update({ ...message, dueAt });
    return claimed.length - ended.length;
  }

  async change(accountId: string, id: string, step: (message: Message) => DueStep | undefined) {
    const state = this.#open();
    const message = state.messages.find(accountId, id);
    const result = message && step(structuredClone(message));
    if (result !== undefined) {
      this.#update(result.message);
      state.apply(result);
    }
    const after = state.messages.find(accountId, id);
    return after && structuredClone(after);
  }

  watchDue(listener: (dueAt: number) => void): void {
    this.#onDue = listener;
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
    const { accountId, email, now, idempotency } = change;
    const state = this.#open();
    const replay = idempotency === null ? undefined : state.idempotency.find(idempotency, now);
    if (replay !== undefined) return { replay };
    const suppressed = state.suppressedAmong(accountId, [email]).size > 0;
    const decision = change.decide(structuredClone(state.contact(accountId, email)), suppressed);
    const { contact, mail, response, result } = decision;
    state.messages.checkNew(mail === undefined ? [] : [mail]);
    if (contact !== undefined) state.writeContact(structuredClone(contact));
    if (mail !== undefined) this.#insert(mail);
    if (idempotency !== null) state.idempotency.insert(idempotency, response);
    return { response, result };
  }

  logRequest(request: LoggedRequest, generation: object): void {
    if (generation === this.#state) this.#state.requestLog.add(request);
  }

  async loggedRequest(requestId: string) {
    return structuredClone(this.#open().requestLog.find(requestId));
  }

  async loggedRequests(page: Page) {
    return structuredClone(this.#open().requestLog.list(page));
  }

  async forget(now: number): Promise<void> {
    this.#open().forget(now);
  }

  async fill(state: InitialState): Promise<boolean> {
    const current = this.#open();
    if (current.settings.size > 0) return false;
    current.fill(structuredClone(state));
    this.#noteDue(current.messages.earliestDue());
    return true;
  }

  async reset(state: InitialState): Promise<void> {
    this.#open();
    const next = new State();
    next.fill(structuredClone(state));
    this.#state = next;
    this.#noteDue(next.messages.earliestDue());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #open(): State {
    if (this.#isClosed) throw new ClosedError();
    return this.#state;
  }

  #changeScheduled(accountId: string, id: string, change: Partial<Message>): boolean {
    const message = this.#open().messages.find(accountId, id);
    if (message?.status !== "scheduled") return false;
    this.#update({ ...message, ...change });
    return true;
  }

  #insert(message: Message): void {
    this.#state.messages.insert(message);
    this.#noteDue(message.dueAt);
  }

  #update(message: Omit<Message, "content">): void {
    this.#state.messages.update(message);
    this.#noteDue(message.dueAt);
  }

  /** Tells the listener after this turn: one call is enough for all messages of a request. */
  #noteDue(dueAt: number | null): void {
    if (dueAt === null || dueAt >= this.#earliestDue) return;
    if (this.#earliestDue === Number.POSITIVE_INFINITY) queueMicrotask(() => this.#tellDue());
    this.#earliestDue = dueAt;
  }

  #tellDue(): void {
    const dueAt = this.#earliestDue;
    this.#earliestDue = Number.POSITIVE_INFINITY;
    this.#onDue(dueAt);
  }
}
