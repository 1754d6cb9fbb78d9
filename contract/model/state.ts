import type { OperationId } from "../../generated/operations.ts";
import type { PendingMessage } from "../engine/pending-messages.ts";
import type { Deadlines, Fixtures, Role } from "../engine/settings.ts";
import type { Exchange } from "../exchange.ts";

/** Parsed JSON objects of requests and responses. */
export type Json = Readonly<Record<string, unknown>>;

/** The entries of an array except null; none if a response has something else there. */
export const entriesIn = <Entry = Json>(value: unknown): readonly Entry[] =>
  Array.isArray(value) ? value.filter((one) => one !== null) : [];

/** Milliseconds since 1970; NaN for anything but a time. */
export const timeOf = (value: unknown): number => Date.parse(String(value));

export const hour = 3_600_000;
export const day = 24 * hour;

/** Whether the monthly allowance can begin again between two times: its time zone is unspecified. */
export const canBeginMonth = (from: number, to: number): boolean =>
  new Date(from - 12 * hour).getUTCMonth() !== new Date(to + 14 * hour).getUTCMonth();

/** Whether a period is over after a time; undefined near its end, where it is unspecified. */
export const hasPassed = (period: number, after: number): boolean | undefined =>
  Math.abs(after - period) <= hour / 2 ? undefined : after > period;

export interface ModelRequest {
  operation: OperationId;
  key: Role;
  /** Default: that of the key's role. */
  account?: Role;
  path?: Readonly<Record<string, string>>;
  body?: Json;
  idempotencyKey?: string;
}

/** What is known in place of a configuration, if the requests of others are observed. */
export interface Observed {
  isSender(domain: string): boolean;
  isTemplate(id: string): boolean;
  /** Whether the body is valid, whatever the document says: what it says of this body is unspecified. */
  isValid: boolean;
}

/** What the model knows of the server apart from the requests. */
export interface Context {
  fixtures: Fixtures;
  deadlines: Deadlines;
  /** The server's time before the request and after its response, in milliseconds since 1970. */
  sentAt: number;
  now: number;
  /** Whether others send with the accounts too, so that nothing is known of their allowances. */
  isShared: boolean;
  /** Absent if the suite sends the requests. */
  observed?: Observed;
}

/** A request, and what its response depends on. */
export interface Given extends Context, ModelRequest {
  state: ModelState;
  account: Role;
  path: Readonly<Record<string, string>>;
  body: Json;
}

/** A message that the server accepted. */
export interface Message {
  account: Role;
  id: string;
  /** As in the request. */
  sent: Json;
  kind: "immediate" | "scheduled" | "batch";
  /** When it was accepted with its content and time: sent, or last rescheduled. */
  acceptedAt: number;
  /** When it is due, in milliseconds since 1970; null unless it is scheduled. */
  dueAt: number | null;
  isCanceled: boolean;
  /** The recipients that the response to the send listed as suppressed. */
  suppressed: readonly string[];
  /** The other messages of its batch. */
  siblings: readonly Json[];
  /** Whether it was ever rescheduled. */
  isMoved: boolean;
  /** Whether a change was accepted although it was canceled, or had no recipient left: which time it has is unspecified. */
  hasUnknownTime?: boolean;
  /** The requirements on what happened to it since the last lookup. */
  since: readonly string[];
  /** The last lookup; undefined before the first one. */
  record: Json | undefined;
}

/** A contact, as the last response showed it. */
export interface Contact {
  account: Role;
  /** In lower case. */
  email: string;
  /** By list id, each as it may be: whether an update for another list changes its details too is unspecified. */
  memberships: ReadonlyMap<number, readonly Json[]>;
  /** Whether it unsubscribed from everything. */
  hasLeft: boolean;
}

/** The least and the most. */
export type Range = readonly [number, number];

/** What the requests of a sequence have led to, as far as it is known. Nothing in it changes; each step makes another state. */
export interface ModelState {
  /** Messages that earlier requests of the run left to be sent. */
  pending: readonly PendingMessage[];
  messages: readonly Message[];
  contacts: readonly Contact[];
  /** The accepted requests with an idempotency key, and the server's time after each. */
  keyed: readonly { request: ModelRequest; exchange: Exchange; at: number }[];
  /** The rejected ones: whether they use their idempotency key is unspecified. */
  rejected: ModelState["keyed"];
  /** The monthly allowances: in all, what remained after the first send of the sequence, and what before its first message. */
  allowances: ReadonlyMap<Role, { total: number; first: number; start: Range }>;
  /** The lists and the custom fields of each account, as the last listing showed them. */
  listings: ReadonlyMap<Role, Readonly<Partial<Record<"lists" | "fields", readonly Json[]>>>>;
  /** The last request that could change a contact. What changed since should rest on the requirements that allowed its response. */
  last: { account: Role; ids: readonly string[]; list?: unknown };
}

export const emptyState: ModelState = {
  pending: [],
  messages: [],
  contacts: [],
  keyed: [],
  rejected: [],
  allowances: new Map(),
  listings: new Map(),
  last: { account: "full", ids: [] },
};

/** Whether a lookup showed that a message was sent. */
export const wasSent = (record: Json = {}): boolean => (record.sent_at ?? null) !== null;

export const contactOf = ({ contacts }: ModelState, account: Role, email: unknown): Contact | undefined =>
  contacts.find((contact) => contact.account === account && contact.email === String(email).toLowerCase());

export const withMessage = (state: ModelState, changed: Message, changes: Partial<Message>): ModelState => ({
  ...state,
  messages: state.messages.map((message) => (message === changed ? { ...message, ...changes } : message)),
});

/** The state with a changed contact, or one more contact. */
export function withContact(state: ModelState, changed: Contact): ModelState {
  const before = contactOf(state, changed.account, changed.email);
  return { ...state, contacts: [...state.contacts.filter((one) => one !== before), changed] };
}

/** What the steps of one sequence have in common. */
export interface Sequence {
  fixtures: Fixtures;
  hasKey(role: Role): boolean;
  /** A text in all names, so that no other sequence has the same ones. */
  name: string;
  /** The number of email addresses and keys so far. */
  count: number;
  /** The number of messages and contacts looked up after steps so far. */
  lookups: number;
}

/** Where a step is in a sequence, and the key of its request. */
export interface Place {
  key: Role;
  sequence: Sequence;
  state: ModelState;
  now: number;
}

/** By the kind of step; undefined if there is nothing that the step could be about. */
export type RequestsOf<Step extends { do: string }> = {
  [Kind in Step["do"]]: (step: Extract<Step, { do: Kind }>, place: Place) => ModelRequest | undefined;
};

export const next = (sequence: Sequence): string => {
  sequence.count += 1;
  return `${sequence.name}-${sequence.count}`;
};

export const withKey = (request: ModelRequest, isKeyed: boolean, sequence: Sequence): ModelRequest =>
  isKeyed ? { ...request, idempotencyKey: next(sequence) } : request;

/** One of several, counted round. */
export const pick = <One>(all: readonly One[], index: number): One | undefined => all[index % all.length];
