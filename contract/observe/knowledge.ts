import type { Deadlines, Fixtures, Role } from "../engine/settings.ts";
import { type Exchange, errorOf } from "../exchange.ts";
import type { Contact, Json, Message, World } from "../model/world.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { Subject } from "./subjects.ts";
import type { Tally } from "./tally.ts";
import type { ServerTime } from "./window.ts";

/** What is known beside the traffic. */
export interface ObserverContext {
  knowledge: Knowledge;
  tally: Tally;
  fixtures: Fixtures;
  deadlines: Deadlines;
  /** Whether the traffic has all requests to the accounts in it, and nobody else changes what they have. */
  readonly isAllTraffic: boolean;
}

/** A request about known subjects, with its response, when nothing else was in progress about them. */
export interface Observation extends Subject {
  exchange: Exchange;
  body: Record<string, unknown>;
  time: ServerTime;
  /** The name of a subject about which another request was in progress. */
  crowded: ReadonlySet<string>;
}

export const typeOf = (exchange: Exchange): unknown => errorOf(exchange)?.type;

/** In milliseconds: how long what is known of data that others may change is relied on. */
const freshness = 60_000;

/** Whether nobody else can have changed something since a time, as far as a verdict may rely on it. */
export const isFresh = ({ isAllTraffic }: ObserverContext, { time }: Observation, at: number): boolean =>
  isAllTraffic || Math.abs(time.now - at) < freshness;

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
