import type { OperationId } from "../../../generated/operations.ts";
import type { PendingMessage } from "../engine/pending-messages.ts";
import type { Deadlines, Fixtures, Role } from "../engine/settings.ts";
import type { Exchange } from "../exchange.ts";

/** Parsed JSON objects of requests and responses. */
export type Json = Readonly<Record<string, unknown>>;

/** The objects of an array; none if a response has something else there. */
export const entriesIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

/** A request of a sequence. */
export interface ModelRequest {
  operation: OperationId;
  key: Role;
  path?: Readonly<Record<string, string>>;
  body?: Json;
  idempotencyKey?: string;
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
}

/** A message that the server accepted. */
export interface Message {
  account: Role;
  id: string;
  /** As in the request. */
  sent: Json;
  kind: "immediate" | "scheduled" | "batch";
  acceptedAt: number;
  /** When it is due, in milliseconds since 1970; null unless it is scheduled. */
  dueAt: number | null;
  isCanceled: boolean;
  /** The recipients that the response to the send listed as suppressed. */
  suppressed: readonly string[];
  /** The last lookup; undefined before the first one. */
  record: Json | undefined;
}

/** A contact, as the last response showed it. */
export interface Contact {
  account: Role;
  /** In lower case. */
  email: string;
  /** By list id. */
  memberships: ReadonlyMap<number, Json>;
  /** The details that memberships may have since an update for another list, by list id: whether details are shared is unspecified. */
  open: ReadonlyMap<number, Json>;
  /** Whether it unsubscribed from everything. */
  hasLeft: boolean;
}

/** An accepted request with an idempotency key. */
export interface KeyedRequest {
  request: ModelRequest;
  exchange: Exchange;
  /** The server's time. */
  at: number;
}

/** The lists and the custom fields of an account, as the last listing showed them. */
interface Listings {
  lists?: readonly Json[];
  fields?: readonly Json[];
}

/** The monthly allowance of an account. */
export interface Allowance {
  total: number;
  /** What remained after the first send of the sequence. */
  first: number;
  /** The least and the most that remained before the first message of the sequence. */
  start: readonly [number, number];
}

/** The last request that could change something. What changed since should rest on the requirements that allowed its response. */
interface LastWrite {
  account: Role;
  ids: readonly string[];
}

/** What the requests of a sequence have led to, as far as it is known. Nothing in it changes; each step makes another world. */
export interface World {
  /** Messages that earlier requests of the run left to be sent. */
  pending: readonly PendingMessage[];
  messages: readonly Message[];
  contacts: readonly Contact[];
  keyed: readonly KeyedRequest[];
  allowances: ReadonlyMap<Role, Allowance>;
  listings: ReadonlyMap<Role, Listings>;
  last: LastWrite;
}

export const emptyWorld: World = {
  pending: [],
  messages: [],
  contacts: [],
  keyed: [],
  allowances: new Map(),
  listings: new Map(),
  last: { account: "full", ids: [] },
};

/** The requirements that a record of an account violates if it differs from the one before. */
export const idsOfLast = ({ last }: World, account: Role): readonly string[] =>
  last.account === account ? last.ids : ["AUTH-2"];

export const messageOf = (world: World, account: Role, id: string | undefined): Message | undefined =>
  world.messages.find((message) => message.account === account && message.id === id);

export const contactOf = (world: World, account: Role, email: unknown): Contact | undefined =>
  world.contacts.find((contact) => contact.account === account && contact.email === lowerCase(email));

/** What the configuration says of a contact of an account. */
export function configuredContact(
  account: Role,
  email: unknown,
  { contacts = {} }: Fixtures,
): { state: string; list: number } | undefined {
  const [state, one] = Object.entries(contacts).find(([, { email: other }]) => other === email) ?? [];
  const isOwn = account === (state === "noNewsletter" ? state : "full");
  return state === undefined || one === undefined || !isOwn ? undefined : { state, list: one.list };
}

export const lowerCase = (email: unknown): string => String(email).toLowerCase();

/** The world with another state of a message. */
export const withMessage = (world: World, changed: Message): World => ({
  ...world,
  messages: world.messages.map((message) => (message.id === changed.id ? changed : message)),
});

/** The world with another state of a contact, or one more contact. */
export const withContact = (world: World, changed: Contact): World => ({
  ...world,
  contacts: [
    ...world.contacts.filter(({ account, email }) => account !== changed.account || email !== changed.email),
    changed,
  ],
});
