import type { Hook } from "./events.ts";

/** Where time comes from: what a page or a runtime has by these names. Tests hold it; everybody else leaves it out. */
export interface Clock {
  Date: { now(): number };
  setTimeout(act: () => void, milliseconds: number): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: what a timer is differs between runtimes, and only they look into it
  clearTimeout(timer: any): void;
}

/** The limits of a call. */
export interface Limits {
  /** How often a call is tried at most; 4 unless told otherwise. */
  attempts?: number | undefined;
  /** The longest that one attempt may take, its answer read in full, in milliseconds; 30 000 unless told otherwise. */
  attemptTimeout?: number | undefined;
  /** The longest that a call may take in all, with its pauses, in milliseconds; 120 000 unless told otherwise. */
  timeout?: number | undefined;
}

/** How one call is made. What is left out, or given as undefined, is as the client has it. */
export interface CallOptions extends Limits {
  /**
   * Ends the call, even in a pause: it is then rejected with the signal's reason, which tells no idempotency key. To go on
   * with the work later, give it a key of your own.
   */
  signal?: AbortSignal | undefined;
}

/** How a call is made that takes an idempotency key. */
export interface KeyedOptions extends CallOptions {
  /**
   * Names this piece of work, 1 to 256 characters (IDEM-4) without a space at either end. Made anew for each call unless told otherwise, and the same in
   * all attempts (IDEM-5). Give the `idempotencyKey` of an error again to go on with that work without doing it twice.
   */
  idempotencyKey?: string | undefined;
}

/** How calls are made: what both faces of the client have in common. */
export interface Policy extends Limits {
  /** Used in place of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * Told of every attempt, answer and pause, for logs, traces and limiters; `hooks` makes one of several. An attempt waits
   * for what it promises. What it throws is passed over: an account of a call must not change the call.
   */
  onEvent?: Hook | undefined;
  clock?: Clock | undefined;
  /** Spreads pauses: a number from 0 to below 1; `Math.random` unless told otherwise. */
  random?: (() => number) | undefined;
  /** Lets the client run in a browser page, where everybody can read the key (AUTH-6). */
  allowBrowser?: boolean | undefined;
}

/** All that rules a call. Undefined means: as unless told otherwise. */
export interface Settings extends Policy, CallOptions {}

/** What a client is made from. */
export interface ClientOptions extends Policy {
  /** The API key. It is kept in a closure, and shown by nothing. */
  key: string;
  /** The host address of the service, such as `https://api.example.com`, without what the calls add to it: https only, but for this machine (GEN-2). */
  baseUrl: string;
}
