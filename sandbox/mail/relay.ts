import type { DueMessage, DueStep } from "../domain/due-messages.ts";
import type { Store } from "../domain/store.ts";
import type { SandboxClock } from "../time/clock.ts";
import { Attempts } from "./attempts.ts";
import { Claims } from "./claims.ts";
import { NotClaimed, RelayAttempt } from "./relay-attempt.ts";
import { claim, lease, lost, stateToRelay } from "./relay-state.ts";
import type { SmtpTimes } from "./smtp.ts";
import type { SmtpServer } from "./smtp-url.ts";

export interface RelayOptions {
  store: Pick<Store, "change" | "message" | "releaseClaims" | "keepClaims" | "isShared" | "instance">;
  clock: Pick<SandboxClock, "now" | "reach" | "frozen" | "advancing">;
  server: SmtpServer;
  simulatorDomain: string;
  times?: SmtpTimes;
  /** Gets the sandbox's own failures, never the server's. */
  onError?: (error: unknown) => void;
}

/** Connections to the server at the same time. */
const connections = 4;

/**
 * Relays messages to an SMTP server, each at most once. The store records that a message is being sent before its first byte leaves. If the
 * process dies then, the message is in doubt and is not relayed again; one that certainly did not arrive is retried.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #stop = new AbortController();
  readonly #claims: Claims;
  #attempts = new Attempts(connections);
  #closing = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#claims = new Claims({
      ...{ store: options.store, clock: options.clock },
      claimed: () => this.#attempts.names().map((name) => JSON.parse(name)[1]),
      onError: (error) => options.onError?.(error),
    });
  }

  /**
   * The next step of a due message that is on its way to the server. With `start`, it is a claim: call `start` once the claim is stored, or
   * `drop` when storing it fails. Undefined for a message that does not, or no longer, go to the server.
   *
   * @param until how far due messages are being processed: the message is not due again before
   */
  due(message: DueMessage, until: number): { step: DueStep; start: boolean } | undefined {
    const { simulatorDomain, clock } = this.#options;
    const relay = stateToRelay(message, simulatorDomain);
    if (relay === undefined) return undefined;
    const at = clock.reach(message.dueAt ?? 0);
    const again = Math.max(at + lease, until + 1);
    const name = nameOf(message);
    // The attempt is still in progress, here or in another instance.
    if (this.#attempts.has(name) || this.#claims.isElsewhere(relay))
      return { step: { message: { ...message, dueAt: again } }, start: false };
    if (relay.state === "sending")
      return { step: lost(message, relay, "The sandbox stopped.", at), start: false };
    // The next process finds the claim and starts the attempt at once.
    if (this.#closing) {
      const holder = { ...this.#claims.take(), heldUntil: 0 };
      return { step: claim(message, relay, holder, again), start: false };
    }
    if (this.#claims.areMany(this.#attempts.count))
      return { step: { message: { ...message, dueAt: this.#claims.later(until) } }, start: false };
    // Announced before `start`: several runs of the due engine may overlap while the clock moves.
    this.#attempts.announce(name);
    return { step: claim(message, relay, this.#claims.take(), again), start: true };
  }

  /**
   * Starts the attempt that `due` claimed, with the message that it returned.
   *
   * @param generation `generation` at that time: after a reset the message does not exist any more
   */
  start(message: DueMessage, generation: object): void {
    const attempts = this.#attempts;
    if (generation !== attempts) return;
    const name = nameOf(message);
    if (this.#closing) attempts.withdraw(name);
    else attempts.start(name, () => this.#attempt(message, attempts));
  }

  /** Forgets the attempt that `due` claimed. */
  drop(message: DueMessage): void {
    this.#attempts.withdraw(nameOf(message));
  }

  /** Another object after each reset. */
  get generation(): object {
    return this.#attempts;
  }

  /** Resolves when no attempt is in progress, in another instance either. @returns whether any was */
  async settled(): Promise<boolean> {
    const wasIdle = this.#attempts.idle;
    await this.#attempts.settled();
    return (await this.#claims.othersSettled()) || !wasIdle;
  }

  /** Drops the attempts in progress, for a reset. */
  forget(): void {
    this.#attempts.stop();
    this.#attempts = new Attempts(connections);
  }

  /** Starts no more attempts and waits for those in progress; aborts them after the deadline. */
  async close(deadlineMilliseconds: number): Promise<void> {
    this.#closing = true;
    this.#claims.stop();
    this.#attempts.stop();
    const timer = setTimeout(() => this.#stop.abort(), deadlineMilliseconds);
    await this.#attempts.settled();
    clearTimeout(timer);
  }

  async #attempt(message: DueMessage, attempts: Attempts): Promise<void> {
    const isCurrent = (): boolean => attempts === this.#attempts;
    const { signal } = this.#stop;
    const attempt = new RelayAttempt({ ...this.#options, claims: this.#claims, isCurrent, signal });
    try {
      await attempt.run(message);
    } catch (error) {
      if (!(error instanceof NotClaimed)) this.#options.onError?.(error);
    }
  }
}

const nameOf = ({ accountId, id }: DueMessage): string => JSON.stringify([accountId, id]);
