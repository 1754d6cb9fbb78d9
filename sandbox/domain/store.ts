import type { Contact, LoggedRequest, Message } from "./records.ts";

/** An answer as it is given again when an idempotency key comes back: its status, and its body as the text that was sent. */
export interface StoredResponse {
  status: number;
  body: string;
}

/** A piece of work that a caller named. */
export interface IdempotencyRecord {
  /** The id of the API key that sent it: names of different keys have nothing to do with each other (Idempotency 1). */
  scope: string;
  key: string;
  /** Tells one request from another: a digest of the operation and the JSON value of its body. Kept as it is. */
  fingerprint: string;
  /** When the name is forgotten, in milliseconds. */
  expiresAt: number;
}

/** What an earlier request of the same name was and answered. */
export interface Replay {
  fingerprint: string;
  response: StoredResponse;
}

/** Messages that are ready to be taken, and what to answer then. */
export interface Acceptance {
  accountId: string;
  now: number;
  /** Every address that the messages go to, in lower case: which of them are suppressed decides what becomes of them. */
  recipients: string[];
  idempotency: IdempotencyRecord | null;
  /**
   * Called once with the suppressed ones among the recipients, when no earlier request has the same name. It takes the messages or
   * refuses them. It must not wait, and must not touch the store.
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

/** A change to a contact, worked out by the domain. */
export interface ContactChange<Result> {
  accountId: string;
  email: string;
  now: number;
  idempotency: IdempotencyRecord | null;
  /**
   * Called once with the contact as it stands, and whether its address is suppressed. It must not wait, and must not touch the store.
   */
  decide(contact: Contact | undefined, suppressed: boolean): ContactDecision<Result>;
}

/** The contact as it stands afterwards, and a mail that goes to it because of that: both are kept, or neither. */
export interface ContactDecision<Result> {
  contact?: Contact;
  mail?: Message;
  response: StoredResponse;
  result: Result;
}

export type ContactOutcome<Result> = { response: StoredResponse; result: Result } | { replay: Replay };

/**
 * Where the sandbox keeps what happened. A promise is kept only once everything that its call wrote, and everything that it
 * read, is as safe as the store can make it; requests of one turn of the event loop share a commit. Each method is one step that no other can
 * split, so that a store for several instances can do each in one transaction.
 */
export interface Store {
  /** The earlier work of this name that is still remembered. */
  recall(work: Pick<IdempotencyRecord, "scope" | "key">, now: number): Promise<Replay | undefined>;
  /** Takes messages or refuses them, all or nothing, and remembers the work's name. */
  accept(acceptance: Acceptance): Promise<AcceptanceOutcome>;
  /** As long as it is kept: whether its time for look-ups is over is for the caller to judge. */
  message(accountId: string, id: string): Promise<Message | undefined>;
  /** The newest messages first; `before` is the id that the page before ended with. */
  messages(page: Page): Promise<Message[]>;
  /** The same without what they say, which can be megabytes each: for lists. */
  summaries(page: Page): Promise<MessageSummary[]>;
  /** Gives a message that is still `scheduled` a new time, in one conditional update. False when it is not scheduled any more. */
  reschedule(accountId: string, id: string, scheduledAt: number): Promise<boolean>;
  /** Cancels a message that is still `scheduled`, in one conditional update. False when it is not scheduled any more. */
  cancel(accountId: string, id: string): Promise<boolean>;
  /** When the next message is due, or null. */
  nextDue(): Promise<number | null>;
  /**
   * Takes the messages that are due at `until` or before, the earliest first, hands each to `step`, which returns it as it stands
   * afterwards, and writes that: all in one step, so that no message is handed out twice, not even after a crash. A message that is due
   * again at `until` or before takes its next turn among the others, in the order of their times.
   *
   * @returns how many steps there were; fewer than `limit` only when nothing is due any more
   */
  runDue(until: number, limit: number, step: (message: DueMessage) => DueStep): Promise<number>;
  /**
   * Makes the messages due at `dueAt` that would be due later only because an attempt to hand them over has claimed them. For when it is known
   * that no such attempt is under way any more.
   */
  releaseClaims(dueAt: number): Promise<void>;
  /**
   * Hands one message to `step` and writes what comes back, undefined to leave it as it is: in one step. It must not wait, and must not touch the store.
   *
   * @returns the message as it stands then; undefined when there is none
   */
  change(
    accountId: string,
    id: string,
    step: (message: Message) => DueStep | undefined,
  ): Promise<Message | undefined>;
  /** Sets who is told, after each commit that gave a message a due time, of the earliest time given. One listener; a second replaces it. */
  watchDue(listener: (dueAt: number) => void): void;
  /** Stops sending to an address, with the reason. */
  suppress(accountId: string, address: string, reason: string, at: number): Promise<void>;
  unsuppress(accountId: string, address: string): Promise<boolean>;
  suppressions(accountId: string): Promise<{ address: string; reason: string; at: number }[]>;
  /** Recipients counted in the calendar month (UTC) of `now`. */
  used(accountId: string, now: number): Promise<number>;
  contact(accountId: string, email: string): Promise<Contact | undefined>;
  /** In the order of their addresses; `after` is the address that the page before ended with. */
  contacts(query: { accountId: string; limit: number; after?: string }): Promise<Contact[]>;
  changeContact<Result>(change: ContactChange<Result>): Promise<ContactOutcome<Result>>;
  /** Notes a call. It is kept with the next commit; nobody waits for it. */
  logRequest(request: LoggedRequest): void;
  loggedRequest(requestId: string): Promise<LoggedRequest | undefined>;
  /** The newest calls first; `before` is the id that the page before ended with. */
  loggedRequests(query: { accountId?: string; limit: number; before?: string }): Promise<LoggedRequest[]>;
  /** Forgets what has had its time: idempotency keys, calls, messages past their look-up. */
  forget(now: number): Promise<void>;
  /** A small value kept by name, such as how far the clock was moved. */
  setting(name: string): string | undefined;
  setSetting(name: string, value: string): Promise<void>;
  /** A number that is never given out twice, not even after a restart; only a reset begins again at 1. For ids; `decide` may call it. */
  nextSequence(): number;
  /**
   * Forgets everything, settings too, so that the same calls have the same answers again. After a crash on the way nothing is forgotten, or everything.
   *
   * @param settings kept in the same step
   */
  reset(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Keeps what is under way, and lets go of the files. Nothing may be asked of the store afterwards. */
  close(): Promise<void>;
}

/** A message without what it says, which nothing that is due ever changes and which may be megabytes. */
export type DueMessage = Omit<Message, "content">;

/** A message as a list shows it. */
export type MessageSummary = DueMessage & { subject: string };

/** Which part of the messages: those of one account or of all, from the newest on, or from before the one that the last page ended with. */
export interface Page {
  accountId?: string;
  limit: number;
  before?: string;
}

/** A message after what was due happened to it, and what goes with that. */
export interface DueStep {
  message: DueMessage;
  /** Recipients to count towards the monthly allowance, in the month of this moment. */
  counted?: { recipients: number; at: number };
  /** Addresses that are not written to any more from now on. */
  suppress?: { address: string; reason: string; at: number }[];
}
