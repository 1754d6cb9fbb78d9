import { AsyncLocalStorage } from "node:async_hooks";
import { type OperationId, operations } from "../../generated/operations.ts";
import {
  type Exchange,
  isRateLimited,
  pathOf,
  type RawRequest,
  type RequestOptions,
  requestName,
} from "../exchange.ts";
import { checkResponse } from "../response-checks/check-response.ts";
import { serverFailures } from "../response-checks/errors.ts";
import { faultsIn } from "../response-checks/faults.ts";
import type { ResponseFinding } from "../response-checks/finding.ts";
import { duration } from "../text.ts";
import {
  type AssertionFailure,
  configured,
  type NotVerified,
  OutsideRun,
  unknownExchange,
} from "./assert.ts";
import { sendRequest, Unreachable } from "./http.ts";
import { Observations } from "./outcome.ts";
import { integerHeader } from "./rate-limiter.ts";
import type { Run } from "./run.ts";
import { type Hooks, isInRun, type Settings } from "./settings.ts";

const maxRejections = 5;
/** In milliseconds; longer polling intervals are reported. */
const longPause = 3_000;
const usualRetry = 60;
/** In seconds; a longer Retry-After does not belong to a rate limit per minute. */
const longestRetry = 120;

/** A shared value, with the first operation outside the run that would have changed something for it. */
interface Sharing {
  lacks?: OperationId | undefined;
}

/** The shared value that the requests create. */
const sharing = new AsyncLocalStorage<Sharing>();

/** The server requires a longer wait than any rate limit per minute needs. */
export class WaitTooLong extends Unreachable {}

/** Sends the requests of a test case, records the exchanges, and validates every response against the document. */
export class Tester extends Observations {
  readonly run: Run;
  readonly settings: Settings;
  /** What the test case found beside its own verdict. Each is an outcome of its own. */
  readonly found: { error: AssertionFailure | NotVerified; exchanges: readonly Exchange[] }[] = [];
  readonly #hooks: string[] = [];
  /** What the shared values that the test case uses lack. */
  readonly using: Sharing = {};
  /** How many of the next requests the hook `failNext` makes fail, at most. */
  #failures = 0;

  constructor(run: Run) {
    super();
    this.run = run;
    this.settings = run.settings;
  }

  /**
   * Sends a request to an operation.
   * @throws Unreachable if there is no complete response, NotVerified if the key is not configured
   */
  async request(operation: OperationId, { path, query, ...options }: RequestOptions = {}): Promise<Exchange> {
    if (this.isUnknown(operation)) return unknownExchange(sharing.getStore()?.lacks ?? operation);
    const { method, path: template } = operations[operation];
    return this.rawRequest({ operation, method, path: pathOf(template, path, query), ...options });
  }

  /**
   * Sends a request. If it is rejected for the rate limit, waits as long as the response says and sends it again.
   * @throws Unreachable if there is no complete response or the wait is too long, NotVerified if the key is not
   * configured
   */
  async rawRequest(request: RawRequest): Promise<Exchange> {
    const key = request.key === undefined ? "full" : request.key;
    // A mock returns examples and has no account with a rate limit; no wait helps if the server has stopped.
    const isLimited = this.settings.profile !== "mock" && this.run.attempts.stopped === undefined;
    const waits = typeof key === "string" && request.waits !== false;
    const limiter = waits && isLimited ? this.run.rateLimiter(key) : undefined;
    const authorization = this.#authorization(key);
    const { name, operation } = requestName(request);
    if (operation !== undefined && !isInRun(this.settings, operation)) throw new OutsideRun(operation);
    this.#assertKnown();
    const send = async (): Promise<Exchange> => {
      await this.run.opened();
      return this.#send(request, name, authorization);
    };
    for (let rejections = 0; ; rejections += 1) {
      const made = await (limiter?.around(send) ?? send());
      if (limiter === undefined || !isRateLimited(made)) return this.#kept(made);
      const rejected = `${request.method} ${request.path} was rejected`;
      if (rejections === maxRejections)
        throw new Unreachable(`${rejected} ${maxRejections} times for the rate limit.`, { operation });
      const wait = integerHeader(made, "wait") || usualRetry;
      const tooLong = `for the rate limit with a wait of ${wait} s; the suite waits at most ${longestRetry} s.`;
      if (wait > longestRetry) throw new WaitTooLong(`${rejected} ${tooLong}`, { operation });
      // The hook may not open windows after all: the real minute had turned when it was tried.
      this.run.opensWindows = false;
      limiter.pause(wait);
    }
  }

  /**
   * Whether the response to a request that a shared value is made of is unknown. A read outside the run is left out; after another operation
   * outside the run, so is everything else.
   */
  isUnknown(operation: OperationId): boolean {
    const shared = sharing.getStore();
    if (shared === undefined) return false;
    const isOutside = !isInRun(this.settings, operation);
    if (isOutside && operations[operation].method !== "GET") shared.lacks ??= operation;
    return isOutside || shared.lacks !== undefined;
  }

  /**
   * Creates a value once per run. The exchanges count as those of each test case that uses it.
   * @param mayLack whether it can have unknown responses after an operation outside the run: test cases only look at it
   */
  async once<Value>(name: string, make: (tester: Tester) => Promise<Value>, mayLack = false): Promise<Value> {
    const { value, exchanges, lacks } = await this.run.once(name, async () => {
      // Invalid responses are reported by the test case that creates the value.
      const before = this.exchanges.length;
      const shared: Sharing = {};
      const made = await sharing.run(shared, () => make(this));
      return { value: made, exchanges: this.exchanges.slice(before), ...shared };
    });
    if (lacks !== undefined && !mayLack) throw new OutsideRun(lacks);
    const outer = sharing.getStore() ?? this.using;
    outer.lacks ??= lacks;
    this.exchanges.push(...exchanges.filter((one) => !this.exchanges.includes(one)));
    return value;
  }

  /**
   * Polls with increasing intervals until a condition is met or the deadline has passed.
   * @param deadline in seconds
   * @param first the first interval, in milliseconds
   * @returns the last value, whether or not it meets the condition
   */
  async until<One>(look: () => Promise<One>, isSo: (found: One) => boolean, deadline: number, first = 25) {
    this.#assertKnown();
    const { time } = this.run;
    const end = time.elapsed() + deadline * 1000;
    for (let pause = first; ; pause = Math.min(pause * 2, 10_000)) {
      const found = await look();
      const left = end - time.elapsed();
      if (isSo(found) || left <= 0) return found;
      const last = this.exchanges.at(-1)?.request;
      if (pause >= longPause && last !== undefined) this.run.onPoll(last.operation ?? last.path, left);
      await time.wait(Math.min(pause, left));
    }
  }

  /**
   * Calls a hook.
   * @throws NotVerified if the hook is not configured, Unreachable if it fails
   */
  async hook<Name extends keyof Hooks>(name: Name, what: Parameters<Hooks[Name]>[0]): Promise<void> {
    this.#assertKnown();
    const hook = configured(this.run.hooks[name], `hooks.${name}`) as (what: unknown) => unknown;
    this.run.isChanged = true;
    try {
      await hook(what);
    } catch (error) {
      throw new Unreachable(
        `hooks.${name} failed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    const { requests = 0, seconds = 0 } = what as { requests?: number; seconds?: number };
    this.#failures += requests;
    this.run.advanced += seconds * 1000;
    this.#hooks.push(`${name} ${JSON.stringify(what)}${seconds > 0 ? ` (${duration(seconds * 1000)})` : ""}`);
  }

  /** @throws OutsideRun if what was sent so far depends on an operation outside the run */
  #assertKnown(): void {
    const { lacks } = sharing.getStore() ?? this.using;
    if (lacks !== undefined) throw new OutsideRun(lacks);
  }

  async #send(request: RawRequest, name: string, authorization: string | undefined): Promise<Exchange> {
    const { attempts, transport } = this.run;
    attempts.assertNotSilent(name);
    this.requests += 1;
    this.run.unanswered += 1;
    try {
      const made = await sendRequest(transport, request, authorization);
      attempts.note(name);
      return made;
    } catch (error) {
      // What the hook failNext cuts off is meant to have no response.
      if (this.#failures > 0) this.#failures -= 1;
      else if (error instanceof Unreachable) throw attempts.note(name, error) ?? error;
      throw error;
    } finally {
      this.run.unanswered -= 1;
    }
  }

  #authorization(key: Exclude<RawRequest["key"], undefined>): string | undefined {
    if (key === null) return undefined;
    if (typeof key === "string") return `Bearer ${configured(this.settings.keys[key], `keys.${key}`)}`;
    // The text may be derived from a key, and the server may repeat it.
    if (key.isMadeUp !== true) this.run.addSecret(key.text);
    return `Bearer ${key.text}`;
  }

  #kept(made: Exchange): Exchange {
    if (this.#hooks.length > 0) made.hooks = this.#hooks.splice(0);
    this.exchanges.push(made);
    made.serverTime = this.run.now();
    this.run.pending.note(made, made.serverTime);
    const findings: ResponseFinding[] = [];
    if (this.#failures > 0) this.#failures -= 1;
    // The mock returns those that it is asked for.
    else if (this.settings.profile !== "mock") findings.push(...serverFailures(made));
    if (made.request.isUnspecified !== true) {
      const seen = this.settings.profile === "mock" ? null : this.run.requestIds;
      const checked = checkResponse(made, seen);
      for (const text of checked.information) this.information.add(text);
      findings.push(...checked.findings);
    }
    made.faults = faultsIn(findings);
    this.note(made, ...findings);
    return made;
  }
}
