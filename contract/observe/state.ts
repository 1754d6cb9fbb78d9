import { LRUCache } from "lru-cache";
import {
  type Deadlines,
  defaultDeadlines,
  type Fixtures,
  type Role,
  type Settings,
} from "../engine/settings.ts";
import { type Exchange, errorOf } from "../exchange.ts";
import type { Contact, Json, Message, ModelState } from "../model/state.ts";
import { requestIdHeader } from "../response-checks/headers.ts";
import { Keys } from "./keys.ts";
import type { Subject } from "./subjects.ts";
import { shortened, type Tally } from "./tally.ts";
import { ServerClock, type ServerTime } from "./window.ts";

/** A request and its response, with the subjects that it is about. */
export interface Observation extends Subject {
  exchange: Exchange;
  body: Record<string, unknown>;
  time: ServerTime;
  /** The names of its subjects that another request in progress was about, too. */
  concurrent: ReadonlySet<string>;
  /** By how many milliseconds its start and end can be wrong. */
  precision: number;
}

export const typeOf = (exchange: Exchange): unknown => errorOf(exchange)?.type;

/** In milliseconds: older knowledge is not relied on if others may change the data. */
const freshness = 60_000;

/** Whether a verdict may rely on what was known at a time: nobody else can have changed it since. */
export const isFresh = ({ isAllTraffic }: ObserverState, { time }: Observation, at: number): boolean =>
  isAllTraffic || Math.abs(time.now - at) < freshness;

/** What a verdict rests on: the last request that changed something, one that was rejected since, and the last response that shows it. */
export type Evidence = readonly Exchange[];

export interface KnownMessage {
  message: Message;
  /** Whether the traffic has its send; otherwise it was learned from responses about it. */
  isWhole: boolean;
  /** Whether it is known which account it belongs to. */
  isAccountKnown: boolean;
  shown: Evidence;
}

export interface KnownContact {
  account: Role;
  /** Undefined if the account has never seen it. */
  contact: Contact | undefined;
  /** Whether a response showed all its lists. */
  isComplete: boolean;
  /** Whether it is known to have, or have not, unsubscribed from everything. */
  isLeavingKnown: boolean;
  /** The last request that could change it. */
  reasons: ModelState["last"] | undefined;
  /** The server's time of what is known. */
  at: number;
  shown: Evidence;
}

/** An accepted request with an idempotency key. */
export interface KnownKeyed {
  /** Digests of the body: of its bytes, and of its JSON value. */
  bytes: string;
  value: string;
  status: number;
  text: string;
  at: number;
  shown: Evidence;
}

export class KnownAccount {
  listings: Partial<Record<"lists" | "fields", readonly Json[]>> = {};
  listedAt = 0;
  /** Lists that requests succeeded with, and whether they have double opt-in. */
  readonly lists = new Map<number, boolean | undefined>();
  readonly senders = new Set<string>();
  allowance: Pick<ModelState, "messages" | "allowances"> | undefined;
  /** When the quota was read last. */
  readAt = Number.NaN;
  /** The ids of messages that are sent later than accepted. */
  readonly waiting = new Set<string>();
  /** Until then, messages that are not known may be sent, by the server's time. */
  unknownUntil: number;
  /** When sends were last in progress at the same time; 0 before. */
  concurrentAt = 0;
  /** The last request whose response reports the rate limit, unless something else may have counted since. */
  rated: Pick<Observation, "exchange" | "time" | "key" | "operation"> | undefined;
  /** When the last requests whose responses report the rate limit started, by the server's time. */
  startedAt: number[] = [];
  /** The steps from one response to the next so far, and those with a wrong count. */
  readonly steps = new Map<StepKind, { steps: number; wrong: number }>();
  lastSend: Exchange | undefined;

  constructor(unknownUntil: number) {
    this.unknownUntil = unknownUntil;
  }
}

/** What a step from one response to the next shows: `same` for two requests of a product with one key. */
export type StepKind = "same" | "key" | "product" | "batch";

export interface ObserverOptions {
  keys?: Settings["keys"];
  fixtures?: Fixtures;
  deadlines?: Deadlines;
  /** The operations that the server does not have. */
  notImplemented?: Settings["notImplemented"];
  /** Whether the traffic contains every request that changes the accounts in it, as on a test system. */
  isAllTraffic?: boolean;
  /** The most exchanges that are held to put them in order; default: 8192. */
  held?: number;
}

/** The most messages, contacts and idempotency keys that are known, a few kilobytes each, and the most accounts. */
const mostKnown = 4096;
const mostAccounts = 2048;

/** All that an observer knows of a server. Its memory is bounded: what was not used for longest is forgotten. */
export class ObserverState {
  /** Whether nothing was ever forgotten. */
  isWhole = true;
  /** Whether it is known which contact each request changed. */
  areContactsKnown = true;
  readonly messages = this.#bounded<KnownMessage>(mostKnown);
  readonly contacts = this.#bounded<KnownContact>(mostKnown);
  readonly keyed = this.#bounded<KnownKeyed>(mostKnown);
  readonly accounts = new LRUCache<Role, KnownAccount>({ max: mostAccounts });
  readonly keys: Keys;
  readonly clock = new ServerClock();
  readonly requestIds = new RequestIds();
  /** What several exchanges show together. */
  readonly tally: Tally;
  readonly fixtures: Fixtures;
  readonly deadlines: Deadlines;
  readonly notImplemented: readonly string[];
  readonly #isAllTraffic: boolean;
  #unknownUntil = 0;

  constructor(options: ObserverOptions, tally: Tally) {
    this.tally = tally;
    this.keys = new Keys(options.keys);
    this.fixtures = options.fixtures ?? {};
    this.deadlines = options.deadlines ?? defaultDeadlines;
    this.notImplemented = options.notImplemented ?? [];
    this.#isAllTraffic = options.isAllTraffic === true;
  }

  /** Whether the traffic contains every request that changes the accounts in it. Unknown keys may change the same accounts. */
  get isAllTraffic(): boolean {
    return this.#isAllTraffic && this.keys.areAllKnown;
  }

  account(role: Role): KnownAccount {
    const account = this.accounts.get(role) ?? new KnownAccount(this.#unknownUntil);
    this.accounts.set(role, account);
    return account;
  }

  /** Forgets what requests led to, because something unknown may have changed it. Unless it was a reset, earlier messages may still count. */
  clear(isReset: boolean): void {
    this.#unknownUntil = isReset ? 0 : Number.POSITIVE_INFINITY;
    this.messages.clear();
    this.contacts.clear();
    this.keyed.clear();
    this.accounts.clear();
  }

  #bounded<Known extends object>(max: number): LRUCache<string, Known> {
    const dispose: LRUCache.Disposer<string, Known> = (_known, _name, reason) => {
      if (reason !== "set") this.isWhole = false;
    };
    return new LRUCache({ max, dispose });
  }
}

/** The request ids of the last responses, with their times: not all of them, so that memory is bounded. */
class RequestIds {
  readonly #seen = new LRUCache<string, number>({ max: 100_000 });
  readonly #latest = new LRUCache<string, Exchange>({ max: mostKnown });

  /** Whether the same exchange was seen before, in another record of the same traffic. */
  isRepeated = ({ headers, startedAt }: Exchange): boolean =>
    startedAt > 0 && this.#seen.peek(headers[requestIdHeader] ?? "") === startedAt;

  /** The exchange before with the same id, if it is one of the latest. */
  before = ({ headers }: Exchange): Exchange[] =>
    [this.#latest.peek(headers[requestIdHeader] ?? "") ?? []].flat();

  has = (id: string): boolean => this.#seen.has(id);

  clear = (): void => this.#seen.clear();

  add(id: string, exchange: Exchange): void {
    this.#seen.set(id, exchange.startedAt);
    this.#latest.set(id, shortened(exchange));
  }
}
