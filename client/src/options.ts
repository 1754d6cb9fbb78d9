import type { ErrorDetail } from "../../generated/client/models.ts";

/** What is known about a request, whatever its response. */
export interface RequestDetails {
  method: string;
  url: string;
  /** How many attempts were made. */
  attempts: number;
  /** Pass it to the same request again to repeat it safely (IDEM-10). Undefined if the operation takes none. */
  idempotencyKey: string | undefined;
}

/** The clock and timers; default: those of the platform. Tests replace them. */
export interface Clock {
  Date: { now(): number };
  setTimeout(act: () => void, milliseconds: number): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the type of a timer differs between runtimes
  clearTimeout(timer: any): void;
}

/** Attempts and timeouts of a request. */
export interface AttemptOptions {
  /** The most attempts; default: 4. */
  attempts?: number | undefined;
  /** The longest time for one attempt including the body of its response, in milliseconds; default: 30 000. */
  attemptTimeout?: number | undefined;
  /** The longest time for a request including all attempts and pauses, in milliseconds; default: 120 000. */
  timeout?: number | undefined;
}

/** The options of one request. Default, also for undefined: those of the client. */
export interface RequestOptions extends AttemptOptions {
  /**
   * Aborts the request, even in a pause: it rejects with the signal's reason, which has no idempotency key. To repeat the
   * request safely later, pass an idempotency key.
   */
  signal?: AbortSignal | undefined;
}

/** The options of one request that takes an idempotency key. */
export interface IdempotentRequestOptions extends RequestOptions {
  /**
   * 1 to 256 characters (IDEM-4) without spaces at its ends, the same in all attempts (IDEM-5); default: a new UUID for each
   * request. Pass the `idempotencyKey` of an error to repeat that request safely.
   */
  idempotencyKey?: string | undefined;
}

/** The options that both entry points share. */
export interface SharedOptions extends AttemptOptions {
  /** Replaces the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * Receives the start and the result of every attempt and every pause, for logs, traces and limiters; `hooks` combines
   * several. An attempt waits for the promise that it returns. Its errors are ignored.
   */
  onEvent?: Hook | undefined;
  clock?: Clock | undefined;
  /** Randomizes pauses: returns a number from 0 to below 1; default: `Math.random`. */
  random?: (() => number) | undefined;
  /** Allows a browser page, where everybody can read the key (AUTH-6). */
  allowBrowser?: boolean | undefined;
  /** Allows http to another machine, such as `http://sandbox:4020` in tests. The key is then sent unencrypted. */
  allowInsecureHttp?: boolean | undefined;
}

/** All options of one request. */
export interface ResolvedOptions extends SharedOptions, RequestOptions {}

/** The options of a client. */
export interface ClientOptions extends SharedOptions {
  /** The API key, kept in a closure: printing or serializing the client does not show it. */
  key: string;
  /**
   * The base URL of the service without `/api/v1`, such as `https://api.example.com`: https (GEN-2), or http on this machine,
   * or with `allowInsecureHttp`.
   */
  baseUrl: string | URL;
}

/** What is special about each type of event. */
export type EventDetails =
  /**
   * An attempt starts. Headers that a hook adds to `headers` are sent, such as `traceparent`; the API key is not in it.
   * The signal aborts when the request no longer waits for the hook.
   */
  | { type: "attempt"; headers: Record<string, string>; signal: AbortSignal }
  /**
   * An attempt ended. `response` is undefined if none came or only a part of one; its body is already read. `error` is
   * the error in the body of a failure, and empty if there is none.
   */
  | {
      type: "result";
      response: Response | undefined;
      error: Partial<ErrorDetail>;
      milliseconds: number;
    }
  /** A pause before the next attempt. */
  | { type: "pause"; milliseconds: number };

/** An event of a request. `attempts` is the number of the current attempt, from 1. */
export type RequestEvent = RequestDetails & EventDetails;

/** A function that receives the events of requests. */
export type Hook = (event: RequestEvent) => unknown;

/** Combines hooks: each receives every event, one after the other. */
export const hooks =
  (...all: Hook[]): Hook =>
  async (event) => {
    for (const hook of all)
      try {
        await hook(event);
      } catch {}
  };
