import type { DueMessage, DueStep, Store } from "../domain/store.ts";
import type { SandboxClock } from "../time/clock.ts";
import { Attempts } from "./attempts.ts";
import { changeClaimed, Gone } from "./claim.ts";
import { compose } from "./compose.ts";
import { claim, conclude, lease, lost, type Relayed, stateToRelay, withRelay } from "./relay-state.ts";
import { handOver, type SmtpTimes } from "./smtp.ts";
import type { SmtpServer } from "./smtp-url.ts";

export interface RelayOptions {
  store: Pick<Store, "change" | "message">;
  clock: Pick<SandboxClock, "now" | "reach">;
  server: SmtpServer;
  simulatorDomain: string;
  times?: SmtpTimes;
  /** Told of failures of the sandbox's own, never of the server's. */
  onError?: (error: unknown) => void;
}

/** How many connections there are to the server at once. */
const connections = 4;

const usualTimes: SmtpTimes = { answer: 20_000, whole: 120_000 };

/**
 * Hands messages over to an SMTP server, each at most once. Before the first byte of a message leaves, the store knows that it does; a
 * process that dies then leaves it in doubt, and a message in doubt is not handed over again. One that certainly did not arrive is
 * tried again.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #stop = new AbortController();
  #attempts: Attempts;
  #closing = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#attempts = new Attempts(connections);
  }

  /**
   * What is due for a message on its way to the server: an attempt, which `start` is to begin once that is kept, and `drop` is to forget
   * when that fails. Undefined when it is not for the server, or not any more.
   *
   * @param until how far what is due is being done: the message is not due again before that is over
   */
  due(message: Relayed, until: number): { step: DueStep; start: boolean } | undefined {
    const { simulatorDomain, clock } = this.#options;
    const relay = stateToRelay(message, simulatorDomain);
    if (relay === undefined) return undefined;
    const at = clock.reach(message.dueAt ?? 0);
    const again = Math.max(at + lease, until + 1);
    const name = nameOf(message);
    // It takes its time: look again later.
    if (this.#attempts.has(name)) return { step: { message: { ...message, dueAt: again } }, start: false };
    if (relay.state === "sending")
      return { step: lost(message, relay, "The sandbox was ended.", at), start: false };
    // Nobody takes it up any more. As a claim it is due at once when the next process starts.
    if (this.#closing) return { step: claim(message, relay, again), start: false };
    // From now on, and not from `start` on: what is due is done side by side while the clock is moved.
    this.#attempts.announce(name);
    return { step: claim(message, relay, again), start: true };
  }

  /**
   * Begins the attempt that `due` announced, with the message as it gave it.
   *
   * @param round what `round` was then: after a reset the message is not there any more
   */
  start(message: Relayed, round: object): void {
    const attempts = this.#attempts;
    if (round !== attempts) return;
    const name = nameOf(message);
    if (this.#closing) attempts.withdraw(name);
    else attempts.begin(name, () => this.#attempt(message, attempts).catch((error) => this.#report(error)));
  }

  /** Forgets the attempt that `due` announced. */
  drop(message: DueMessage): void {
    this.#attempts.withdraw(nameOf(message));
  }

  /** What changes with each reset. */
  get round(): object {
    return this.#attempts;
  }

  /** Whether nothing is under way. */
  get idle(): boolean {
    return this.#attempts.idle;
  }

  /** Resolves when nothing is under way. */
  settled(): Promise<void> {
    return this.#attempts.settled();
  }

  /** Forgets what is under way: after a reset its messages are not there any more. */
  forget(): void {
    this.#attempts.end();
    this.#attempts = new Attempts(connections);
  }

  /** Begins nothing any more, and waits for what is under way: for so long at most, then it is broken off. */
  async close(deadlineMilliseconds: number): Promise<void> {
    this.#closing = true;
    this.#attempts.end();
    const timer = setTimeout(() => this.#stop.abort(), deadlineMilliseconds);
    await this.settled();
    clearTimeout(timer);
  }

  #report(error: unknown): void {
    if (!(error instanceof Gone)) this.#options.onError?.(error);
  }

  async #attempt(claimed: Relayed, attempts: Attempts): Promise<void> {
    const { store, server, clock, times = usualTimes } = this.#options;
    const message = await store.message(claimed.accountId, claimed.id);
    if (message === undefined || claimed.relay === undefined) return;
    const bytes = await compose(message);
    const current = () => attempts === this.#attempts;
    const relay = { ...claimed.relay, attempts: claimed.relay.attempts + 1 };
    // Counted before the server hears of it: it may be the server's doing that the process does not live on.
    await changeClaimed(store, claimed, claimed.relay, current)((now) => withRelay(now, relay));
    const envelope = { from: message.from, to: relay.pending };
    const change = changeClaimed(store, claimed, relay, current);
    const beforeBytes = () => change((now) => withRelay(now, { ...relay, state: "sending" }));
    const attempt = await handOver(server, { envelope, bytes, beforeBytes }, times, this.#stop.signal);
    await change((now) => conclude(now, relay, attempt, clock.now()));
  }
}

function nameOf({ accountId, id }: DueMessage): string {
  return JSON.stringify([accountId, id]);
}
