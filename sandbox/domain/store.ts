import type { Contact, LoggedRequest, Message } from "./records.ts";

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

/** Messages to accept. */
export interface Acceptance {
  accountId: string;
  now: number;
  /** The email addresses of all recipients, in lower case. */
  recipients: string[];
  idempotency: IdempotencyRecord | null;
  /**
   * Accepts the messages or rejects them. Called once with the suppressed recipients, unless the request is a replay. It must not wait, and
   * must not use the store.
   */
  decide(suppressed: ReadonlySet<string>): Decision;
}

export type Decision =
  | { messages: Message[]; counted: number; response: StoredResponse }
  | { error: unknown };

export type AcceptanceOutcome =
  | { response: StoredResponse; replayed: false; used: number }
  | { replay: Replay }
  | { error: unknown };

/** A change of a contact. */
export interface ContactChange<Result> {
  accountId: string;
  email: string;
  now: number;
  idempotency: IdempotencyRecord | null;
  /** Called once, unless the request is a replay. It must not wait, and must not use the store. */
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

/**
 * Stores the state of the sandbox. A promise resolves once everything that its call has read or written is committed; requests in one turn of
 * the event loop share a commit. Each method is atomic, so that a store for several instances can run it in one transaction.
 */
export interface Store {
  /** The earlier request with this idempotency key, until the record expires. */
  recall(record: Pick<IdempotencyRecord, "scope" | "key">, now: number): Promise<Replay | undefined>;
  /** Accepts all messages or none, and stores the idempotency record. */
  accept(acceptance: Acceptance): Promise<AcceptanceOutcome>;
  /** The caller checks whether it can still be looked up. */
  message(accountId: string, id: string): Promise<Message | undefined>;
  /** The newest messages first. */
  messages(page: Page): Promise<Message[]>;
  /** The same without the content, which can be megabytes each. */
  summaries(page: Page): Promise<MessageSummary[]>;
  /** Changes the time of a message, with a conditional update. @returns false if it is not `scheduled` any more */
  reschedule(accountId: string, id: string, scheduledAt: number): Promise<boolean>;
  /** Cancels a message, with a conditional update. @returns false if it is not `scheduled` any more */
  cancel(accountId: string, id: string): Promise<boolean>;
  /** When the next message is due; null if none is. */
  nextDue(): Promise<number | null>;
  /**
   * Calls `step` for each message that is due at `until` or before, in the order of their times, and stores the results in one transaction: no
   * step happens twice, not even after a crash. A message that is due again by `until` takes part again.
   *
   * @returns the number of steps; fewer than `limit` only if no message is due any more
   */
  runDue(until: number, limit: number, step: (message: DueMessage) => DueStep): Promise<number>;
  /** Makes claimed messages due at `dueAt`, when no attempt to relay them is in progress any more. */
  releaseClaims(dueAt: number): Promise<void>;
  /**
   * Stores the result of `step` for one message; undefined changes nothing. `step` must not wait, and must not use the store.
   *
   * @returns the message afterwards; undefined if it does not exist
   */
  change(
    accountId: string,
    id: string,
    step: (message: Message) => DueStep | undefined,
  ): Promise<Message | undefined>;
  /** Sets the one listener that gets, after each commit that wrote due times, the earliest of them. */
  watchDue(listener: (dueAt: number) => void): void;
  suppress(accountId: string, address: string, reason: string, at: number): Promise<void>;
  unsuppress(accountId: string, address: string): Promise<boolean>;
  suppressions(accountId: string): Promise<{ address: string; reason: string; at: number }[]>;
  /** Recipients counted in the calendar month (UTC) of `now`. */
  used(accountId: string, now: number): Promise<number>;
  contact(accountId: string, email: string): Promise<Contact | undefined>;
  /** Sorted by email address; `after` is the last one of the page before. */
  contacts(query: { accountId: string; limit: number; after?: string }): Promise<Contact[]>;
  changeContact<Result>(change: ContactChange<Result>): Promise<ContactOutcome<Result>>;
  /** Logs a request, with the next commit. */
  logRequest(request: LoggedRequest): void;
  loggedRequest(requestId: string): Promise<LoggedRequest | undefined>;
  /** The newest requests first. */
  loggedRequests(page: Page): Promise<LoggedRequest[]>;
  /** Deletes expired idempotency records, logged requests, and messages that cannot be looked up any more. */
  forget(now: number): Promise<void>;
  /** A small value by name, such as the position of the clock. */
  setting(name: string): string | undefined;
  setSetting(name: string, value: string): Promise<void>;
  /** A number that is unique across restarts; only a reset starts again at 1. For ids; `decide` may call it. */
  nextSequence(): number;
  /**
   * Deletes everything, so that the same requests get the same responses again. A crash before the end deletes nothing.
   *
   * @param settings stored in the same transaction
   */
  reset(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Commits what is pending and closes the files. */
  close(): Promise<void>;
}

/** A message without its content, which no step changes and which may be megabytes. */
export type DueMessage = Omit<Message, "content">;

/** A message in a list. */
export type MessageSummary = DueMessage & { subject: string };

/** A page of a list, of one account or of all; `before` is the last id of the page before. */
export interface Page {
  accountId?: string;
  limit: number;
  before?: string;
}

/** A message after a step, and the effects of the step. */
export interface DueStep {
  message: DueMessage;
  /** Recipients to count in the month of `at`. */
  counted?: { recipients: number; at: number };
  suppress?: { address: string; reason: string; at: number }[];
}
