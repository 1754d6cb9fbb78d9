import { RateWindows } from "../../domain/rate-windows.ts";
import type { Contact, Message } from "../../domain/records.ts";
import type { DueMessage, DueStep, InitialState, Suppression } from "../../domain/store.ts";
import { monthOf } from "../../domain/times.ts";
import type { Bounds } from "./bounds.ts";
import { IdempotencyRecords } from "./idempotency-records.ts";
import { Messages } from "./messages.ts";
import { RequestLog } from "./request-log.ts";

const none: ReadonlySet<string> = new Set();

/** Everything between two resets. */
export class State {
  readonly settings = new Map<string, string>();
  readonly messages: Messages;
  readonly idempotency: IdempotencyRecords;
  readonly requestLog: RequestLog;
  readonly rates = new RateWindows();
  readonly #contacts = new PerAccount<Contact>();
  readonly #suppressions = new PerAccount<Suppression>();
  readonly #used = new Map<string, number>();
  readonly #noteDue: (dueAt: number | null) => void;
  sequence = 0;

  /** @param noteDue gets each due time that is written, except by steps of due messages */
  constructor(bounds: Bounds, noteDue: (dueAt: number | null) => void) {
    this.messages = new Messages(bounds.messages);
    this.idempotency = new IdempotencyRecords(bounds.idempotencyRecords);
    this.requestLog = new RequestLog(bounds.requests);
    this.#noteDue = noteDue;
  }

  fill({ settings, contacts, suppressions, messages }: InitialState): void {
    for (const [name, value] of Object.entries(settings)) this.settings.set(name, value);
    for (const contact of contacts) this.writeContact(contact);
    for (const { accountId, ...suppression } of suppressions) this.suppress(accountId, suppression);
    for (const message of messages) this.messages.insert(message, false);
    this.#noteDue(this.messages.earliestDue());
  }

  insert(message: Message): void {
    this.messages.insert(message);
    this.#noteDue(message.dueAt);
  }

  update(message: DueMessage): void {
    this.messages.update(message);
    this.#noteDue(message.dueAt);
  }

  /** Deletes a setting without a value. */
  set(name: string, value: string | undefined): void {
    if (value === undefined) this.settings.delete(name);
    else this.settings.set(name, value);
  }

  contact(accountId: string, email: string): Contact | undefined {
    return this.#contacts.of(accountId).get(email);
  }

  contacts(accountId: string, after: string): Contact[] {
    const all = [...this.#contacts.of(accountId).values()].filter(({ email }) => email > after);
    return all.sort((a, b) => (a.email < b.email ? -1 : 1));
  }

  writeContact(contact: Contact): void {
    this.#contacts.of(contact.accountId).set(contact.email, contact);
  }

  /** The suppressed ones of the addresses. */
  suppressedAmong(accountId: string, addresses: readonly string[]): ReadonlySet<string> {
    const known = this.#suppressions.of(accountId);
    return known.size === 0 ? none : new Set(addresses.filter((address) => known.has(address)));
  }

  suppressions(accountId: string): Suppression[] {
    return [...this.#suppressions.of(accountId).values()];
  }

  /** Keeps the first reason. */
  suppress(accountId: string, suppression: Suppression): void {
    const known = this.#suppressions.of(accountId);
    if (!known.has(suppression.address)) known.set(suppression.address, suppression);
  }

  unsuppress(accountId: string, address: string): boolean {
    return this.#suppressions.of(accountId).delete(address);
  }

  used(accountId: string, time: number): number {
    return this.#used.get(`${monthOf(time)} ${accountId}`) ?? 0;
  }

  /** @returns the recipients counted in that month */
  count(accountId: string, time: number, recipients: number): number {
    const month = `${monthOf(time)} ${accountId}`;
    const used = (this.#used.get(month) ?? 0) + recipients;
    if (recipients > 0) this.#used.set(month, used);
    return used;
  }

  apply({ message, counted, suppress = [] }: DueStep): void {
    if (counted !== undefined) this.count(message.accountId, counted.at, counted.recipients);
    for (const suppression of suppress) this.suppress(message.accountId, suppression);
  }

  forget(now: number): void {
    this.idempotency.forget(now);
    this.requestLog.forget(now);
    this.messages.forget(now);
  }
}

class PerAccount<Value> {
  readonly #accounts = new Map<string, Map<string, Value>>();

  of(accountId: string): Map<string, Value> {
    const known = this.#accounts.get(accountId) ?? new Map<string, Value>();
    this.#accounts.set(accountId, known);
    return known;
  }
}
