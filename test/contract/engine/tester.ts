import { type OperationId, operations } from "../../../generated/operations.ts";
import { type Exchange, errorOf, type RawRequest, type RequestOptions } from "../exchange.ts";
import { checkResponse } from "../response-checks/check-response.ts";
import { configured, NotVerified } from "./assert.ts";
import { sendRequest, Unreachable } from "./http.ts";
import type { ResponseCheckTally } from "./outcome.ts";
import { pathOf } from "./path.ts";
import type { Run } from "./run.ts";
import type { Hooks, Role, Settings } from "./settings.ts";

const mostRefusals = 5;
/** From intervals of so many milliseconds on it is told what is polled for. */
const longPause = 3_000;
const usualRetry = 60;
/** Nobody has to wait any longer for a limit of a minute, in seconds: what a server that tells more means is no such limit. */
const longestRetry = 120;

/** The server asks for a wait that no limit of a minute needs. */
export class WaitTooLong extends Unreachable {}

/** What a trial makes its calls with. It keeps what was sent and answered, and holds every answer against the laws of the wire. */
export class Tester {
  readonly run: Run;
  readonly settings: Settings;
  /** Every exchange that the trial looked at, those included that were made for an earlier one. */
  readonly exchanges: Exchange[] = [];
  readonly responseChecks = new Map<string, ResponseCheckTally & { at: (Exchange | undefined)[] }>();
  readonly information = new Set<string>();
  /** How many requests were made. */
  requests = 0;

  constructor(run: Run) {
    this.run = run;
    this.settings = run.settings;
  }

  /**
   * Sends a request to an operation.
   * @throws Unreachable if there is no complete response, NotVerified if the key is not configured
   */
  request(operation: OperationId, { path, query, ...options }: RequestOptions = {}): Promise<Exchange> {
    const { method, path: template } = operations[operation];
    return this.rawRequest({ operation, method, path: pathOf(template, path, query), ...options });
  }

  /**
   * Makes a call. Where the server refuses it for the request limit, it waits as long as it is told and makes it again.
   * @throws Unreachable when there is no whole answer, or it is told to wait too long, NotVerified when the key is not configured
   */
  async rawRequest(call: RawRequest): Promise<Exchange> {
    const key = call.key === undefined ? "full" : call.key;
    // A mock has examples for its answers, and no account whose requests it could count.
    const paced = typeof key === "string" && call.paced !== false && this.settings.profile !== "mock";
    const pacer = paced ? this.run.rateLimiter(key) : undefined;
    const authorization = this.#authorization(key);
    for (let refusals = 0; ; refusals += 1) {
      await pacer?.acquire();
      this.requests += 1;
      const made = await sendRequest(this.run.transport, call, authorization).catch((error: unknown) => {
        pacer?.release();
        throw error;
      });
      pacer?.release(made.headers);
      const isRefused = made.status === 429 && errorOf(made)?.type === "rate_limited";
      if (pacer === undefined || !isRefused) return this.#kept(made);
      if (refusals === mostRefusals)
        throw new Unreachable(
          `${call.method} ${call.path} was refused ${mostRefusals} times for the request limit.`,
        );
      const wait = Number(made.headers["retry-after"] ?? usualRetry) || usualRetry;
      if (wait > longestRetry)
        throw new WaitTooLong(
          `${call.method} ${call.path} was refused for the request limit, and is to wait ${wait} s: the suite waits ${longestRetry} s at most.`,
        );
      pacer.pause(wait);
    }
  }

  /** Makes something once in the run; the trial counts what was sent and answered for it as its own. */
  async once<Value>(name: string, make: (tester: Tester) => Promise<Value>): Promise<Value> {
    const { value, exchanges } = await this.run.once(name, async () => {
      // Laws of the wire that break while it is made are told by the trial that made it.
      const before = this.exchanges.length;
      const made = await make(this);
      return { value: made, exchanges: this.exchanges.slice(before) };
    });
    this.exchanges.push(...exchanges.filter((one) => !this.exchanges.includes(one)));
    return value;
  }

  /**
   * Asks again and again, at growing intervals, until it is so.
   *
   * @param deadline how long, in seconds
   * @param first the first interval, in milliseconds
   * @returns what was found last, whether or not it is so
   */
  async until<Found>(
    ask: () => Promise<Found>,
    isSo: (found: Found) => boolean,
    deadline: number,
    first = 25,
  ): Promise<Found> {
    const { time } = this.run;
    const end = time.elapsed() + deadline * 1000;
    for (let pause = first; ; pause = Math.min(pause * 2, 10_000)) {
      const found = await ask();
      const left = end - time.elapsed();
      if (isSo(found) || left <= 0) return found;
      const last = this.exchanges.at(-1)?.request;
      if (pause >= longPause && last !== undefined) this.run.onPoll(last.operation ?? last.path, left);
      await time.wait(Math.min(pause, left));
    }
  }

  /**
   * Does something to the server that no call of the API does.
   * @throws NotVerified when the hook is not configured, Unreachable when it fails
   */
  async hook<Name extends keyof Hooks>(name: Name, what: Parameters<Hooks[Name]>[0]): Promise<void> {
    const hook = configured(this.run.hooks[name], `hooks.${name}`) as (what: unknown) => unknown;
    this.run.markChanged();
    try {
      await hook(what);
    } catch (error) {
      throw new Unreachable(
        `hooks.${name} failed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    if (name === "advanceClock") this.run.addAdvance((what as { seconds: number }).seconds * 1000);
  }

  #authorization(key: Exclude<RawRequest["key"], undefined>): string | undefined {
    if (key === null) return undefined;
    if (typeof key === "string") return `Bearer ${this.#keyOf(key)}`;
    // It may be made from a key, and the server may repeat it.
    this.run.addSecret(key.text);
    return `Bearer ${key.text}`;
  }

  #keyOf(role: Role): string {
    const key = this.settings.keys[role];
    if (key === undefined) throw new NotVerified(`keys.${role} is not configured.`);
    return key;
  }

  #kept(made: Exchange): Exchange {
    this.exchanges.push(made);
    const { tallies, information } = checkResponse(
      made,
      this.settings.profile === "mock" ? null : this.run.requestIds,
    );
    for (const text of information) this.information.add(text);
    for (const { ids, title: law, failure: breach } of tallies) {
      const tally = this.responseChecks.get(law) ?? { ids, title: law, responses: 0, failures: [], at: [] };
      this.responseChecks.set(law, tally);
      tally.responses += 1;
      if (breach === undefined) continue;
      tally.failures.push({ ...breach, exchange: null });
      tally.at.push(made);
    }
    return made;
  }
}
