import type { Contact, LoggedRequest, Message } from "./records.ts";

/** A call after `close()`. */
export class ClosedError extends Error {
  override name = "ClosedError";

  constructor() {
    super("The sandbox is closed.");
  }
}

/** The database of the store failed, such as on a full disk, or cannot be reached. What the call would have written may be stored or not. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
  /** What is wrong, without a full stop. */
  readonly reason: string;
  /** When to retry, in whole seconds. */
  readonly retryAfter = 1;

  constructor(reason: string, options?: ErrorOptions) {
    super(`The store failed: ${reason}.`, options);
    this.reason = reason;
  }
}

/** What a store starts with, and starts with again after a reset. */
export interface InitialState {
  settings: Readonly<Record<string, string>>;
  contacts: readonly Contact[];
  suppressions: readonly ({ accountId: string } & Suppression)[];
  /** They are found by their ids. Lists omit them, because no request sent them. */
  messages: readonly Message[];
}

/** The setting that has another value after each reset, by whichever instance. The store writes it. */
export const stateSetting = "state";

export interface Suppression {
  /** In lower case. */
  address: string;
  reason: string;
  at: number;
}

/** A setting after a change; without `value` it is deleted. */
export interface SettingChange<Result> {
  value?: string | undefined;
  result: Result;
}

/** The requests of an account in the last minute, before the one that is counted. */
export interface RateWindow {
  used: number;
  /** When the oldest of them was counted; null without any. */
  oldest: number | null;
}

/** A response that an idempotency key replays: its status, and its body as it was sent. */
export interface StoredResponse {
  status: number;
  body: string;
}

/** What the store keeps of an idempotency key. */
export interface IdempotencyRecord {
  /** The id of the API key: the same idempotency key of another API key is unrelated (Idempotency 1). */
  scope: string;
  key: string;
  /** A digest of the operation and the JSON value of the body. */
  fingerprint: string;
  /** In milliseconds. */
  expiresAt: number;
}

/** An earlier request with the same idempotency key. */
export interface Replay {
  fingerprint: string;
  response: StoredResponse;
}

export interface Acceptance {
  accountId: string;
  now: number;
  /** The email addresses of all recipients, in lower case. */
  recipients: string[];
  idempotency: IdempotencyRecord | null;
  /** Accepts the messages or rejects them. Gets the suppressed recipients; not called for a replay. */
  decide(suppressed: ReadonlySet<string>): Decision;
}

export type Decision =
  | { messages: Message[]; counted: number; response: StoredResponse }
  | { error: unknown };

export type AcceptanceOutcome =
  | { response: StoredResponse; used: number }
  | { replay: Replay }
  | { error: unknown };

export interface ContactChange<Result> {
  accountId: string;
  email: string;
  now: number;
  idempotency: IdempotencyRecord | null;
  /** Not called for a replay. */
  decide(contact: Contact | undefined, suppressed: boolean): ContactDecision<Result>;
}

/** The changed contact, and an email that goes to it because of that: both are stored, or neither. */
export interface ContactDecision<Result> {
  contact?: Contact;
  mail?: Message;
  response: StoredResponse;
  result: Result;
}

export type ContactOutcome<Result> = { response: StoredResponse; result: Result } | { replay: Replay };

/** A message without its content, which no step changes and which may be megabytes. */
export type DueMessage = Omit<Message, "content">;

/** A message after everything that was due, and the effects of that. */
export interface DueStep {
  message: DueMessage;
  /** If it was sent: the recipients to count in the month of `at`. */
  counted?: { recipients: number; at: number };
}

/** A run over due messages. */
export interface DueRun {
  /** Messages take part that are due then or before. */
  until: number;
  /** The most messages. */
  limit: number;
  step(message: DueMessage): DueStep;
}

/** A message in a list. */
export type MessageSummary = DueMessage & { subject: string };

/** A page of a list, of one account or of all; `before` is the last id of the page before. */
export interface Page {
  accountId?: string;
  limit: number;
  before?: string;
}

/** With `search`, only messages that meet its condition, of the newest `searchedMessages` before `before`. */
export interface MessagePage extends Page {
  search?: string;
}

/**
 * Stores the state of the sandbox: of one process, or of several instances on one database. A call resolves once everything that it has read
 * or written is committed. Each method is atomic. Callbacks must not wait, use the store or do anything but compute: they are called again
 * when a transaction has to be repeated.
 * @throws ClosedError in every method after `close`; StoreUnavailableError when the database fails or cannot be reached
 */
export interface Store {
  /** Reads the settings, which other instances may have changed. Called at the start of each request. */
  readSettings(): Promise<void>;
  /** A small value by name, as of the last `readSettings` or change. */
  setting(name: string): string | undefined;
  /** Reads and changes a setting. `change` gets the current value, whichever instance has written it. */
  changeSetting<Result>(
    name: string,
    change: (value: string | undefined) => SettingChange<Result>,
  ): Promise<Result>;
  /** A number that is unique across instances and restarts; only a reset starts again at 1. For ids; callbacks may call it. */
  nextSequence(): number;
  /** Counts a request in the rate window of its account, unless `limit` requests are in it. */
  countRequest(accountId: string, now: number, limit: number): Promise<RateWindow>;
  /** The earlier request with this idempotency key, until the record expires. */
  recall(record: Pick<IdempotencyRecord, "scope" | "key">, now: number): Promise<Replay | undefined>;
  /** Accepts all messages or none, and stores the idempotency record. */
  accept(acceptance: Acceptance): Promise<AcceptanceOutcome>;
  /** The caller checks whether it can still be looked up. */
  message(accountId: string, id: string): Promise<Message | undefined>;
  /** The newest messages first. */
  messages(page: Page): Promise<Message[]>;
  /** The same without the content, which can be megabytes each, and with a search. */
  summaries(page: MessagePage): Promise<MessageSummary[]>;
  /**
   * Changes a message, but not its content. `change` returns undefined to leave it as it is.
   * @returns whether it was changed
   */
  changeMessage(
    accountId: string,
    id: string,
    change: (message: DueMessage) => DueMessage | undefined,
  ): Promise<boolean>;
  /** When the next message is due; null if none is. */
  nextDue(): Promise<number | null>;
  /** Calls `step` for messages that are due, the earliest first, and stores the results in one transaction: no step happens twice. */
  runDue(run: DueRun): Promise<DueStep[]>;
  suppress(accountId: string, address: string, reason: string, at: number): Promise<void>;
  unsuppress(accountId: string, address: string): Promise<boolean>;
  /** In the order of their addition. */
  suppressions(accountId: string): Promise<Suppression[]>;
  /** Recipients counted in the calendar month (UTC) of `now`. */
  used(accountId: string, now: number): Promise<number>;
  contact(accountId: string, email: string): Promise<Contact | undefined>;
  /** Sorted by email address; `after` is the last one of the page before. */
  contacts(page: { accountId: string; limit: number; after?: string }): Promise<Contact[]>;
  changeContact<Result>(change: ContactChange<Result>): Promise<ContactOutcome<Result>>;
  /** Logs a request, a moment later. */
  logRequest(request: LoggedRequest): void;
  loggedRequest(requestId: string): Promise<LoggedRequest | undefined>;
  /** The newest requests first. */
  loggedRequests(page: Page): Promise<LoggedRequest[]>;
  /** Deletes expired idempotency records, logged requests, and messages that cannot be looked up any more. */
  forget(now: number): Promise<void>;
  /** Stores this state in a store without any. @returns false if it has one already: a restart goes on with its data */
  fill(state: InitialState): Promise<boolean>;
  /** Replaces everything by this state, so that the same requests get the same responses again. A crash before the end changes nothing. */
  reset(state: InitialState): Promise<void>;
  /** Commits what is pending and closes files and connections. */
  close(): Promise<void>;
}
