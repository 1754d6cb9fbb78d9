import { limits } from "../../../generated/limits.ts";
import { document, headerName } from "../document.ts";
import type { Exchange } from "../exchange.ts";
import type { Fetch, Transport } from "./http.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { redactor, secretsOf } from "./secrets.ts";
import { type Hooks, type Role, rolesOfMainAccount, type Settings } from "./settings.ts";
import { realTime, type Time } from "./time.ts";

const budgetHeaders = {
  limit: headerName(document, "RateLimitLimit").toLowerCase(),
  remaining: headerName(document, "RateLimitRemaining").toLowerCase(),
};

export interface RunOptions {
  settings: Settings;
  /** Hooks of a configuration, and those made from its calls. */
  hooks: Partial<Hooks>;
  /** The global one unless told otherwise. */
  fetch?: Fetch;
  /** Told how long everything waits for the request limit, in milliseconds. */
  onWait?: (milliseconds: number) => void;
  /** Told what is called again and again until something has happened, and for how long at most, in milliseconds. */
  onPoll?: (what: string, milliseconds: number) => void;
  /** The real one unless told otherwise: a server whose clock can be held needs nobody to wait. */
  time?: Time;
}

/** What was asked for once, for all trials that look at it. */
export interface Shared<Value> {
  value: Value;
  exchanges: Exchange[];
}

/** What the trials of one run share. */
export class Run {
  readonly settings: Settings;
  readonly hooks: Partial<Hooks>;
  readonly transport: Transport;
  /** The request ids seen so far. */
  readonly requestIds = new Set<string>();
  readonly time: Time;
  readonly onPoll: NonNullable<RunOptions["onPoll"]>;
  /** Takes the keys out of a text, and whatever was concealed so far. */
  readonly redact = (text: string): string => this.#striker(text);
  readonly #secrets: Set<string>;
  #striker: (text: string) => string;
  readonly #pacers = new Map<string, RateLimiter>();
  readonly #onWait: (milliseconds: number) => void;
  readonly #shared = new Map<string, Promise<Shared<unknown>>>();
  #count = 0;
  #advanced = 0;
  #learned = 0;
  #isChanged = false;

  constructor(options: RunOptions) {
    const { settings, hooks, fetch: given = fetch, time = realTime } = options;
    const { onWait = () => {}, onPoll = () => {} } = options;
    this.settings = settings;
    this.hooks = hooks;
    this.time = time;
    this.#secrets = new Set(secretsOf(settings));
    this.#striker = redactor([...this.#secrets]);
    this.#onWait = onWait;
    this.onPoll = onPoll;
    const { baseUrl, deadlines } = settings;
    this.transport = { baseUrl, fetch: given, responseDeadline: deadlines.response };
  }

  /** A text that no other call of this run has, nor one of another run. */
  unique(): string {
    this.#count += 1;
    return `${this.settings.runId}-${this.#count}`;
  }

  /** Keeps a text out of all outcomes from now on: one made from a key tells the key. */
  addSecret(text: string): void {
    if (this.#secrets.has(text)) return;
    this.#secrets.add(text);
    this.#striker = redactor([...this.#secrets]);
  }

  /** The server's time as far as known, in milliseconds since 1970: what was learned of it, and what hooks have added to it. */
  now(): number {
    return this.time.now() + this.#learned + this.#advanced;
  }

  /** How far the server's clock was ahead of the run's own when the run began, in milliseconds; 0 where it was not off. */
  get offset(): number {
    return this.#learned;
  }

  /** The server's clock is so many milliseconds ahead of the run's own. */
  setOffset(milliseconds: number): void {
    this.#learned = milliseconds;
  }

  /** The hook `advanceClock` moved the clock on. */
  addAdvance(milliseconds: number): void {
    this.#advanced += milliseconds;
  }

  /** Something was done to the server that stays, and that no call of the API takes back. */
  markChanged(): void {
    this.#isChanged = true;
  }

  /**
   * Puts the server back to where it was before the run, where the run has changed it and there is a hook for that.
   * @throws whatever the hook throws
   */
  async reset(): Promise<void> {
    if (this.#isChanged) await this.hooks.reset?.({});
  }

  /** Makes something once, however many trials ask for it. */
  once<Value>(name: string, make: () => Promise<Shared<Value>>): Promise<Shared<Value>> {
    const made = (this.#shared.get(name) as Promise<Shared<Value>> | undefined) ?? make();
    this.#shared.set(name, made);
    return made;
  }

  /** The pacer of the account that a role belongs to. */
  rateLimiter(role: Role): RateLimiter {
    const account = rolesOfMainAccount.includes(role) ? "full" : role;
    const pacer =
      this.#pacers.get(account) ??
      createRateLimiter({
        limit: limits.requestsPerMinute,
        headers: budgetHeaders,
        now: this.time.elapsed,
        wait: this.time.wait,
        onWait: this.#onWait,
      });
    this.#pacers.set(account, pacer);
    return pacer;
  }
}
