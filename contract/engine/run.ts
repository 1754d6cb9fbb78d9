import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import type { Exchange } from "../exchange.ts";
import { Attempts } from "./attempts.ts";
import { hooksOf } from "./hooks.ts";
import type { Fetch, Transport } from "./http.ts";
import { PendingMessages } from "./pending-messages.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { redactor, secretsOf } from "./secrets.ts";
import { accountOf, type Hooks, type Role, type Settings } from "./settings.ts";

export interface RunOptions {
  settings: Settings;
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
interface Shared<Value> {
  value: Value;
  exchanges: Exchange[];
  /** The operation outside the run without which responses in it are unknown. */
  lacks?: OperationId | undefined;
}

/** The state that the test cases of a run share. */
export class Run {
  readonly settings: Settings;
  readonly hooks: Partial<Hooks>;
  readonly mailbox: Mailbox | undefined;
  readonly transport: Transport;
  readonly requestIds = new Set<string>();
  readonly pending = new PendingMessages();
  readonly attempts = new Attempts();
  readonly time: Time;
  readonly onWait: NonNullable<RunOptions["onWait"]>;
  readonly onPoll: NonNullable<RunOptions["onPoll"]>;
  /** The operations outside the run that test cases need, by requirement. */
  readonly outside = new Map<string, Set<string>>();
  /** How far the server's clock was ahead at the start of the run, in milliseconds. */
  offset = 0;
  /** How far the hook `advanceClock` moved it since, in milliseconds. */
  advanced = 0;
  /** Whether the hook `advanceClock` also opens a new window of the rate limit. */
  opensWindows = false;
  /** Requests without a response so far. */
  unanswered = 0;
  /** Whether the run changed something that no request of the API undoes. */
  isChanged = false;
  /** Whether others send with the accounts too. */
  isShared = false;
  /** Removes keys and other secrets from a text. */
  readonly redact: ReturnType<typeof redactor>;
  readonly #secrets: Set<string>;
  readonly #rateLimiters = new Map<string, RateLimiter>();
  readonly #shared = new Map<string, Promise<Shared<unknown>>>();
  #opening: Promise<boolean> | undefined;
  /** How much time of the rate limit was skipped, in milliseconds. */
  #skipped = 0;
  #count = 0;

  constructor(options: RunOptions) {
    const { settings, fetch: given = fetch, time = realTime } = options;
    const { onWait = () => {}, onPoll = () => {} } = options;
    this.settings = settings;
    this.hooks = hooksOf(settings);
    this.mailbox = options.mailbox;
    this.time = time;
    this.#secrets = new Set(secretsOf(settings));
    this.redact = redactor([...this.#secrets]);
    this.onWait = onWait;
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
    this.redact.add(text);
  }

  /** The server's time in milliseconds since 1970, by the measured offset and the calls of the hook advanceClock. */
  now(): number {
    return this.time.now() + this.offset + this.advanced;
  }

  /**
   * Calls the hook `reset` if the run changed the server and the hook is configured.
   * @throws whatever the hook throws
   */
  async reset(): Promise<void> {
    if (this.isChanged) await this.hooks.reset?.({});
  }

  /** Does something once for all test cases. */
  once<Value>(name: string, make: () => Promise<Shared<Value>>): Promise<Shared<Value>> {
    const made = (this.#shared.get(name) as Promise<Shared<Value>> | undefined) ?? make();
    this.#shared.set(name, made);
    return made;
  }

  rateLimiter(role: Role): RateLimiter {
    const account = accountOf(role);
    const limiter =
      this.#rateLimiters.get(account) ??
      createRateLimiter({
        now: () => this.time.elapsed() + this.#skipped,
        wait: this.time.wait,
        onWait: this.onWait,
        open: () => this.openWindow(),
      });
    this.#rateLimiters.set(account, limiter);
    return limiter;
  }

  /**
   * Advances the server's clock in place of waiting for the rate limit, between requests: for the server, it is as if the run had waited.
   * @returns whether the windows of all accounts are new
   */
  openWindow(): Promise<boolean> {
    if (!this.opensWindows) return Promise.resolve(false);
    this.#opening ??= this.#advanceByWindow().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Resolves when no window is being opened: until then, nothing is sent. */
  async opened(): Promise<void> {
    while (this.#opening !== undefined) await this.#opening;
  }

  async #advanceByWindow(): Promise<boolean> {
    while (this.unanswered > 0) await this.time.wait(pollInterval);
    this.isChanged = true;
    try {
      await this.hooks.advanceClock?.({ seconds: windowSeconds });
      this.advanced += windowSeconds * 1000;
      this.#skipped += windowSeconds * 1000;
    } catch {
      // Checks report the hook.
      this.opensWindows = false;
    }
    return this.opensWindows;
  }
}

/** Requests older than this no longer count for the rate limit, even with inexact clocks, in seconds. */
export const windowSeconds = 61;
/** Milliseconds. */
const pollInterval = 10;

export interface Time {
  /** Milliseconds since 1970. */
  now(): number;
  /** Monotonic milliseconds. */
  elapsed(): number;
  wait(milliseconds: number): Promise<void>;
}

export const realTime: Time = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** The largest mail that is read, in bytes: base64 makes the largest message a third larger. */
export const largestMail = 2 * limits.messageSize * 1024 * 1024;

/** Where the mail of the server under test arrives. */
export interface Mailbox {
  /** Whether it adds the hidden recipients of a message to its header Bcc by itself; default: no. */
  addsBcc?: boolean;
  /** The messages to an email address so far as MIME, in the order of their arrival. */
  messagesTo(recipient: string): Promise<Uint8Array[]>;
  /** Whether no message at all has arrived: the server does not send its mail here. */
  isEmpty(): Promise<boolean>;
  close(): Promise<void>;
}
