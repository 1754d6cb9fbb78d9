import type { Contact, Message } from "./records.ts";

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
