import { limits } from "../../generated/limits.ts";
import { document, headerName } from "../document.ts";
import type { Exchange } from "../exchange.ts";
import type { Fetch, Transport } from "./http.ts";
import type { Mailbox } from "./mailbox.ts";
import { PendingMessages } from "./pending-messages.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { redactor, secretsOf } from "./secrets.ts";
import { accountOf, type Hooks, type Role, type Settings } from "./settings.ts";
import { realTime, type Time } from "./time.ts";

const limitHeaders = {
  limit: headerName(document, "RateLimitLimit").toLowerCase(),
  remaining: headerName(document, "RateLimitRemaining").toLowerCase(),
};

export interface RunOptions {
  settings: Settings;
  /** The functions of a configuration, and functions for its hook requests. */
  hooks: Partial<Hooks>;
  fetch?: Fetch;
  /** Where the mail of the server arrives; none: what only mail shows is not verified. */
  mailbox?: Mailbox | undefined;
  /** Called with each wait for the rate limit, in milliseconds. */
  onWait?: (milliseconds: number) => void;
  /** Called with what the run polls, and for how long at most, in milliseconds. */
  onPoll?: (what: string, milliseconds: number) => void;
  /** Default: real time. Tests with a virtual clock do not wait. */
  time?: Time;
}

/** A result that test cases share. */
export interface Shared<Value> {
  value: Value;
  exchanges: Exchange[];
}

/** The state that the test cases of a run share. */
export class Run {
  readonly settings: Settings;
  readonly hooks: Partial<Hooks>;
  readonly mailbox: Mailbox | undefined;
  readonly transport: Transport;
  /** The request ids of all responses so far. */
  readonly requestIds = new Set<string>();
  readonly pending = new PendingMessages();
  readonly time: Time;
  readonly onPoll: NonNullable<RunOptions["onPoll"]>;
  /** Removes keys and other secrets from a text. */
  readonly redact = (text: string): string => this.#redactor(text);
  readonly #secrets: Set<string>;
  #redactor: (text: string) => string;
  readonly #rateLimiters = new Map<string, RateLimiter>();
  readonly #onWait: (milliseconds: number) => void;
  readonly #shared = new Map<string, Promise<Shared<unknown>>>();
  #count = 0;
  #advanced = 0;
  #offset = 0;
  #isChanged = false;
  #isShared = false;

  constructor(options: RunOptions) {
    const { settings, hooks, fetch: given = fetch, time = realTime } = options;
    const { onWait = () => {}, onPoll = () => {} } = options;
    this.settings = settings;
    this.hooks = hooks;
    this.mailbox = options.mailbox;
    this.time = time;
    this.#secrets = new Set(secretsOf(settings));
    this.#redactor = redactor([...this.#secrets]);
    this.#onWait = onWait;
    this.onPoll = onPoll;
    const { baseUrl, deadlines } = settings;
    this.transport = { baseUrl, fetch: given, responseDeadline: deadlines.response };
  }

  /** A text that is unique among all runs. */
  unique(): string {
    this.#count += 1;
    return `${this.settings.runId}-${this.#count}`;
  }

  /** Keeps a text out of all outcomes, such as one derived from a key. */
  addSecret(text: string): void {
    if (this.#secrets.has(text)) return;
    this.#secrets.add(text);
    this.#redactor = redactor([...this.#secrets]);
  }

  /** The server's time in milliseconds since 1970, by the measured offset and the calls of the hook advanceClock. */
  now(): number {
    return this.time.now() + this.#offset + this.#advanced;
  }

  /** How far the server's clock was ahead at the start of the run, in milliseconds. */
  get offset(): number {
    return this.#offset;
  }

  setOffset(milliseconds: number): void {
    this.#offset = milliseconds;
  }

  /** Records a call of the hook `advanceClock`. */
  addAdvance(milliseconds: number): void {
    this.#advanced += milliseconds;
  }

  /** Records a change that no request of the API undoes. */
  markChanged(): void {
    this.#isChanged = true;
  }

  /** Records that others send with the accounts too. */
  markShared(): void {
    this.#isShared = true;
  }

  get isShared(): boolean {
    return this.#isShared;
  }

  /**
   * Calls the hook `reset` if the run changed the server and the hook is configured.
   * @throws whatever the hook throws
   */
  async reset(): Promise<void> {
    if (this.#isChanged) await this.hooks.reset?.({});
  }

  /** Does something once for all test cases. */
  once<Value>(name: string, make: () => Promise<Shared<Value>>): Promise<Shared<Value>> {
    const made = (this.#shared.get(name) as Promise<Shared<Value>> | undefined) ?? make();
    this.#shared.set(name, made);
    return made;
  }

  /** The rate limiter of the account of a role. */
  rateLimiter(role: Role): RateLimiter {
    const account = accountOf(role);
    const limiter =
      this.#rateLimiters.get(account) ??
      createRateLimiter({
        limit: limits.requestsPerMinute,
        headers: limitHeaders,
        now: this.time.elapsed,
        wait: this.time.wait,
        onWait: this.#onWait,
      });
    this.#rateLimiters.set(account, limiter);
    return limiter;
  }
}
