import type { Role } from "../engine/settings.ts";
import type { Exchange } from "../exchange.ts";
import type { Contact, Json, Message, World } from "../model/world.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { KnownKey } from "./keys.ts";

/** What is known of a message. */
export interface KnownMessage {
  message: Message;
  /** Whether the traffic has its send; otherwise it was learned from responses about it. */
  isWhole: boolean;
  /** Whether it is known which account it belongs to. */
  isAccountKnown: boolean;
  /** The last exchange about it. */
  last: Exchange | undefined;
}

/** What is known of a contact. */
export interface KnownContact {
  account: Role;
  /** Undefined if the account has never seen it. */
  contact: Contact | undefined;
  /** Whether a response showed all its lists. */
  isComplete: boolean;
  /** Whether it is known to have, or have not, unsubscribed from everything. */
  isLeavingKnown: boolean;
  /** The last request that could change it. */
  reasons: World["last"] | undefined;
  /** The server's time of what is known. */
  at: number;
  last: Exchange | undefined;
}

/** An accepted request with an idempotency key. */
export interface KnownKeyed {
  /** Digests of the body: of its bytes, and of its JSON value. */
  bytes: string;
  value: string;
  status: number;
  /** The body of the response. */
  text: string;
  at: number;
  last: Exchange | undefined;
}

/** What is known of an account. */
export interface KnownAccount {
  listings: Partial<Record<"lists" | "fields", readonly Json[]>>;
  listedAt: number;
  /** Lists that requests succeeded with, and whether they have double opt-in. */
  lists: Map<number, boolean | undefined>;
  senders: Set<string>;
  templates: Set<string>;
  allowance: Pick<World, "messages" | "allowances"> | undefined;
  month: number;
  /** The ids of messages that are sent later than accepted. */
  waiting: Set<string>;
  /** Until then, messages that are not known may be sent, by the server's time. */
  unknownUntil: number;
  /** When sends were last in progress at the same time; 0 before. */
  crowdedAt: number;
  rate: RateState | undefined;
  lastSend: Exchange | undefined;
}

/** What a step from one response to the next shows: `same` for two requests of a product with one key. */
export type StepKind = "same" | "key" | "product" | "batch";

/** The steps so far of each kind, and those with a wrong count. */
export type RateSteps = Record<StepKind, { steps: number; wrong: number }>;

/** The last successful responses of an account that report its rate limit. */
export interface RateState {
  limit: number;
  remaining: number;
  /** The server's time. */
  at: number;
  start: number;
  end: number;
  key: Role;
  product: string | null;
  steps: RateSteps;
  last: Exchange;
}

const megabyte = 1024 * 1024;

/** All that is known of a server. Its memory is bounded: what was not used for longest is forgotten. */
export class Knowledge {
  readonly messages = new BoundedMap<KnownMessage>(16 * megabyte);
  readonly contacts = new BoundedMap<KnownContact>(16 * megabyte);
  readonly keyed = new BoundedMap<KnownKeyed>(12 * megabyte);
  readonly accounts = new BoundedMap<KnownAccount>(8 * megabyte);

  account(role: Role): KnownAccount {
    const found = this.accounts.get(role);
    if (found !== undefined) return found;
    const created: KnownAccount = {
      listings: {},
      listedAt: 0,
      lists: new Map(),
      senders: new Set(),
      templates: new Set(),
      allowance: undefined,
      month: -1,
      waiting: new Set(),
      unknownUntil: 0,
      crowdedAt: 0,
      rate: undefined,
      lastSend: undefined,
    };
    this.accounts.set(role, created, 4000);
    return created;
  }

  /** Forgets what requests led to, because something unknown may have changed it. */
  clear(): void {
    this.messages.clear();
    this.contacts.clear();
    this.keyed.clear();
    this.accounts.clear();
  }

  /** Whether anything was ever forgotten. */
  get isWhole(): boolean {
    return this.messages.forgotten + this.contacts.forgotten + this.keyed.forgotten === 0;
  }
}

/** The name of a contact. Keys of which it is not known whether they have one account may change the same contact. */
export const contactName = ({ account }: KnownKey, email: string, areAccountsKnown: boolean): string =>
  `${areAccountsKnown ? account : "?"} ${email.toLowerCase()}`;
