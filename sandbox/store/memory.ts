import { LRUCache } from "lru-cache";
import TinyQueue from "tinyqueue";
import { RateWindows } from "../domain/rate-windows.ts";
import type { Contact, LoggedRequest, Message } from "../domain/records.ts";
import { endOf, keptFor, searchCondition, searchedMessages } from "../domain/retention.ts";
import {
  ClosedError,
  type DueStep,
  type IdempotencyRecord,
  type InitialState,
  type Page,
  type Replay,
  type Store,
  type StoredResponse,
  type Suppression,
  stateSetting,
} from "../domain/store.ts";
import { monthOf } from "../domain/times.ts";

/** Of each kind: messages, logged requests and idempotency records. The largest message takes 38 MiB in base64. */
export const usualMebibytes = 64;

/** What V8 takes for an entry beside its text, in bytes. */
const entrySize = 200;

/**
 * Texts of which the newest stay, up to a number and a size, and the last one always. Records are kept as JSON: V8 collects one text faster
 * than the many objects of a record, and its length is its size.
 */
function newest(max: number, maxSize: number, onDrop?: (key: string) => void): LRUCache<string, string> {
  const texts = new LRUCache<string, string>({
    ...{ maxSize, sizeCalculation: (text) => Math.min(text.length + entrySize, maxSize) },
    dispose: (_text, key, reason) => reason === "evict" && onDrop?.(key),
    // An option `max` would allocate all entries at once, which takes a start or a reset milliseconds.
    onInsert: () => texts.size > max && texts.pop(),
  });
  return texts;
}

/** A message and its place in the order of acceptance. Replaced by each change, never modified. */
interface Stored {
  seq: number;
  isListed: boolean;
  accountId: string;
  /** Null if nothing is due for it. Its JSON is in `settled` then. */
  message: Message | null;
}

interface Due {
  at: number;
  seq: number;
  id: string;
}

/** Everything between two resets. */
class State {
  readonly settings = new Map<string, string>([[stateSetting, Math.random().toString(36)]]);
  readonly messages = new Map<string, Stored>();
  /** The messages that nothing is due for, as JSON. The others always stay. */
  readonly settled: LRUCache<string, string>;
  /** With an entry for each due time that a message ever had: one that it has no more is obsolete. */
  readonly due = new TinyQueue<Due>([], (a, b) => a.at - b.at || a.seq - b.seq);
  readonly idempotency: LRUCache<string, string>;
  readonly requests: LRUCache<string, string>;
  readonly rates = new RateWindows();
  /** By account and email address, and by account and month. */
  readonly contacts = new Map<string, Contact>();
  readonly suppressions = new Map<string, Suppression & { accountId: string }>();
  readonly used = new Map<string, number>();
  sequence = 0;
  #lastMessage = 0;

  constructor(mebibytes: number) {
    const bytes = Math.min(Math.ceil(mebibytes * 1024 * 1024), Number.MAX_SAFE_INTEGER);
    this.settled = newest(10_000, bytes, (id) => this.messages.delete(id));
    this.requests = newest(10_000, bytes);
    this.idempotency = newest(100_000, bytes);
  }

  fill({ settings, contacts, suppressions, messages }: InitialState): void {
    for (const [name, value] of Object.entries(settings)) this.settings.set(name, value);
    for (const contact of contacts) this.writeContact(contact);
    for (const suppression of suppressions)
      this.suppressions.set(nameOf(suppression.accountId, suppression.address), suppression);
    for (const message of messages) this.insert(message, false);
  }

  insert(message: Message, isListed = true): void {
    if (this.messages.has(message.id)) throw new Error(`there is a message ${message.id} already`);
    this.#lastMessage += 1;
    this.write(message, { seq: this.#lastMessage, isListed, accountId: message.accountId, message: null });
  }

  write(message: Message, before: Stored): void {
    const { id, dueAt } = message;
    this.messages.set(id, { ...before, message: dueAt === null ? null : message });
    if (dueAt === null) this.settled.set(id, JSON.stringify(message));
    else if (before.message === null) this.settled.delete(id);
    if (dueAt !== null && dueAt !== before.message?.dueAt) this.due.push({ at: dueAt, seq: before.seq, id });
  }

  read(id: string): Message | undefined {
    const text = this.settled.peek(id);
    return text === undefined ? (this.messages.get(id)?.message ?? undefined) : JSON.parse(text);
  }

  /** The next message that is due; obsolete entries before it go. */
  nextDue(): (Due & { message: Message }) | undefined {
    for (let next = this.due.peek(); next !== undefined; next = this.due.peek()) {
      const { message } = this.messages.get(next.id) ?? {};
      if (message?.dueAt === next.at) return { ...next, message };
      this.due.pop();
    }
    return undefined;
  }

  writeContact(contact: Contact): void {
    this.contacts.set(nameOf(contact.accountId, contact.email), contact);
  }

  isSuppressed(accountId: string, address: string): boolean {
    return this.suppressions.has(nameOf(accountId, address));
  }

  /** @returns the recipients counted in that month */
  count(accountId: string, time: number, recipients: number): number {
    const name = nameOf(accountId, monthOf(time));
    const used = (this.used.get(name) ?? 0) + recipients;
    this.used.set(name, used);
    return used;
  }

  replay({ scope, key }: Pick<IdempotencyRecord, "scope" | "key">, now: number): Replay | undefined {
    const text = this.idempotency.peek(nameOf(scope, key));
    if (text === undefined) return undefined;
    const { expiresAt, ...replay } = JSON.parse(text);
    return now < expiresAt ? replay : undefined;
  }

  /** Keeps the fingerprint, not the record: that of a large request has the values of its body. */
  remember({ scope, key, fingerprint, expiresAt }: IdempotencyRecord, response: StoredResponse): void {
    this.idempotency.set(nameOf(scope, key), JSON.stringify({ expiresAt, fingerprint, response }));
  }
}

const nameOf = (owner: string, name: string | number): string => `${owner} ${name}`;

/**
 * The store in plain JavaScript, for one process: it runs wherever JavaScript does, and ends with the process. Records are never modified, so
 * they are returned as they are.
 */
export class MemoryStore implements Store {
  readonly #mebibytes: number;
  #current: State;
  #isFilled = false;
  #isClosed = false;

  /** @param mebibytes the most of messages, of logged requests and of idempotency records each */
  constructor(mebibytes = usualMebibytes) {
    this.#mebibytes = mebibytes;
    this.#current = new State(mebibytes);
  }

  readSettings: Store["readSettings"] = async () => {
    this.#state();
  };

  setting: Store["setting"] = (name) => this.#current.settings.get(name);

  changeSetting: Store["changeSetting"] = async (name, change) => {
    const { settings } = this.#state();
    const { value, result } = change(settings.get(name));
    if (value === undefined) settings.delete(name);
    else settings.set(name, value);
    return result;
  };

  nextSequence: Store["nextSequence"] = () => {
    this.#current.sequence += 1;
    return this.#current.sequence;
  };

  countRequest: Store["countRequest"] = async (accountId, now, limit) =>
    this.#state().rates.count(accountId, now, limit);

  recall: Store["recall"] = async (record, now) => this.#state().replay(record, now);

  accept: Store["accept"] = async ({ accountId, now, recipients, idempotency, decide }) => {
    const state = this.#state();
    const replay = idempotency && state.replay(idempotency, now);
    if (replay) return { replay };
    const decision = decide(new Set(recipients.filter((address) => state.isSuppressed(accountId, address))));
    if ("error" in decision) return decision;
    const { messages, counted, response } = decision;
    const taken = messages.find(({ id }) => state.messages.has(id));
    if (taken !== undefined) throw new Error(`there is a message ${taken.id} already`);
    for (const message of messages) state.insert(message);
    if (idempotency) state.remember(idempotency, response);
    return { response, used: state.count(accountId, now, counted) };
  };

  message: Store["message"] = async (accountId, id) => this.#find(accountId, id) && this.#current.read(id);

  messages: Store["messages"] = async (page) => this.#page(page);

  summaries: Store["summaries"] = async ({ search = "", ...page }) => {
    const found = this.#page(search === "" ? page : { ...page, limit: searchedMessages });
    const summaries = found.map(({ content: { subject }, ...message }) => ({ ...message, subject }));
    return summaries.filter(searchCondition(search)).slice(0, page.limit);
  };

  changeMessage: Store["changeMessage"] = async (accountId, id, change) => {
    const stored = this.#find(accountId, id);
    const message = stored && this.#current.read(id);
    const changed = message && change(message);
    if (stored === undefined || message === undefined || changed === undefined) return false;
    this.#current.write({ ...changed, content: message.content }, stored);
    return true;
  };

  nextDue: Store["nextDue"] = async () => this.#state().nextDue()?.at ?? null;

  runDue: Store["runDue"] = async ({ until, limit, step }) => {
    const state = this.#state();
    // By id: one that was moved and moved back is in the queue twice.
    const due = new Map<string, Due & { message: Message }>();
    for (let next = state.nextDue(); next !== undefined && due.size < limit; next = state.nextDue()) {
      if (next.at > until) break;
      due.set(next.id, next);
      state.due.pop();
    }
    let steps: DueStep[];
    try {
      // All before the first change: if one fails, nothing has happened.
      steps = Array.from(due.values(), ({ message }) => step(message));
    } catch (error) {
      for (const { at, seq, id } of due.values()) state.due.push({ at, seq, id });
      throw error;
    }
    for (const { message, counted } of steps) {
      const { content } = (due.get(message.id) as Due & { message: Message }).message;
      state.write({ ...message, content }, state.messages.get(message.id) as Stored);
      if (counted !== undefined) state.count(message.accountId, counted.at, counted.recipients);
    }
    return steps;
  };

  /** Keeps the first reason. */
  suppress: Store["suppress"] = async (accountId, address, reason, at) => {
    const state = this.#state();
    if (state.isSuppressed(accountId, address)) return;
    state.suppressions.set(nameOf(accountId, address), { accountId, address, reason, at });
  };

  unsuppress: Store["unsuppress"] = async (accountId, address) =>
    this.#state().suppressions.delete(nameOf(accountId, address));

  suppressions: Store["suppressions"] = async (accountId) =>
    [...this.#state().suppressions.values()]
      .filter((suppression) => suppression.accountId === accountId)
      .map(({ address, reason, at }) => ({ address, reason, at }));

  used: Store["used"] = async (accountId, now) =>
    this.#state().used.get(nameOf(accountId, monthOf(now))) ?? 0;

  contact: Store["contact"] = async (accountId, email) =>
    this.#state().contacts.get(nameOf(accountId, email));

  contacts: Store["contacts"] = async ({ accountId, limit, after = "" }) =>
    [...this.#state().contacts.values()]
      .filter((contact) => contact.accountId === accountId && contact.email > after)
      .sort((a, b) => (a.email < b.email ? -1 : 1))
      .slice(0, limit);

  changeContact: Store["changeContact"] = async ({ accountId, email, now, idempotency, decide }) => {
    const state = this.#state();
    const replay = idempotency && state.replay(idempotency, now);
    if (replay) return { replay };
    const known = state.contacts.get(nameOf(accountId, email));
    const { contact, mail, response, result } = decide(known, state.isSuppressed(accountId, email));
    if (mail) state.insert(mail);
    if (contact) state.writeContact(contact);
    if (idempotency) state.remember(idempotency, response);
    return { response, result };
  };

  logRequest: Store["logRequest"] = (request) => {
    this.#current.requests.set(request.requestId, JSON.stringify(request));
  };

  loggedRequest: Store["loggedRequest"] = async (requestId) => {
    const text = this.#state().requests.peek(requestId);
    return text === undefined ? undefined : JSON.parse(text);
  };

  loggedRequests: Store["loggedRequests"] = async ({ accountId, limit, before }) => {
    const all = Array.from(this.#state().requests.values(), (text): LoggedRequest => JSON.parse(text));
    const start = before === undefined ? 0 : all.findIndex(({ requestId }) => requestId === before) + 1;
    if (before !== undefined && start === 0) return [];
    return all
      .slice(start)
      .filter((request) => accountId === undefined || request.accountId === accountId)
      .slice(0, limit);
  };

  forget: Store["forget"] = async (now) => {
    const { messages, settled, idempotency, requests } = this.#state();
    for (const [key, text] of [...idempotency])
      if (JSON.parse(text).expiresAt <= now) idempotency.delete(key);
    for (const [key, text] of [...requests])
      if (JSON.parse(text).at <= now - keptFor.requests) requests.delete(key);
    for (const id of messages.keys()) {
      const message = this.#current.read(id);
      if (message === undefined || (endOf(message) ?? Number.POSITIVE_INFINITY) > now) continue;
      messages.delete(id);
      settled.delete(id);
    }
  };

  fill: Store["fill"] = async (state) => {
    const current = this.#state();
    if (this.#isFilled) return false;
    this.#isFilled = true;
    current.fill(state);
    return true;
  };

  reset: Store["reset"] = async (state) => {
    this.#state();
    const next = new State(this.#mebibytes);
    next.fill(state);
    this.#current = next;
    this.#isFilled = true;
  };

  close: Store["close"] = async () => {
    this.#isClosed = true;
  };

  #state(): State {
    if (this.#isClosed) throw new ClosedError();
    return this.#current;
  }

  #find(accountId: string, id: string): Stored | undefined {
    const stored = this.#state().messages.get(id);
    return stored?.accountId === accountId ? stored : undefined;
  }

  #page({ accountId, limit, before }: Page): Message[] {
    const { messages } = this.#state();
    const end = before === undefined ? Number.POSITIVE_INFINITY : (messages.get(before)?.seq ?? 0);
    return [...messages]
      .reverse()
      .values()
      .filter(([, { isListed, seq }]) => isListed && seq < end)
      .filter(([, stored]) => accountId === undefined || stored.accountId === accountId)
      .map(([id]) => this.#current.read(id))
      .filter((message) => message !== undefined)
      .take(limit)
      .toArray();
  }
}
