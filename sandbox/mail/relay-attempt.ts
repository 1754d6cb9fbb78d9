// Imported, because users' tests may replace the global one.
import { setTimeout as wait } from "node:timers/promises";
import type { DueMessage, DueStep } from "../domain/due-messages.ts";
import { isClaimed, type RelayState } from "../domain/relay.ts";
import type { Store } from "../domain/store.ts";
import { StoreUnavailableError } from "../domain/unavailable.ts";
import type { Clock } from "../time/clock.ts";
import type { Claims } from "./claims.ts";
import { compose } from "./compose.ts";
import { conclude, withRelay } from "./relay-state.ts";
import { attemptDelivery, type SmtpTimes } from "./smtp.ts";
import type { SmtpServer } from "./smtp-url.ts";

export interface AttemptOptions {
  store: Pick<Store, "change" | "message">;
  clock: Pick<Clock, "now">;
  server: SmtpServer;
  times?: SmtpTimes;
  claims: Claims;
  /** Whether there was no reset since it began. */
  isCurrent(): boolean;
  signal: AbortSignal;
}

const defaultTimes: SmtpTimes = { reply: 20_000, whole: 120_000 };

/** How long to wait for a store that cannot be reached, in milliseconds, before the next try. */
const pause = 200;

/** The message does not belong to the attempt any more: after a reset, or when another attempt has taken it over. */
export class NotClaimed extends Error {}

type Change = [message: DueMessage, relay: RelayState, step: (now: DueMessage) => DueStep];

/** An attempt to relay a message that this instance has claimed. */
export class RelayAttempt {
  readonly #options: AttemptOptions;

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  /** @throws NotClaimed when the message does not belong to it any more */
  async run(claimed: DueMessage): Promise<void> {
    const { store, server, clock, claims, signal, times = defaultTimes } = this.#options;
    const message = await store.message(claimed.accountId, claimed.id);
    if (message === undefined || claimed.relay === undefined) return;
    const bytes = await compose(message);
    const relay = { ...claimed.relay, attempts: claimed.relay.attempts + 1 };
    // Counted before the server gets anything: the server may be the reason that the process dies.
    await this.#change(claimed, claimed.relay, (now) => withRelay(now, { ...relay, ...claims.take() }));
    const envelope = { from: message.from, to: relay.pending };
    const change = (step: (now: DueMessage) => DueStep) => this.#change(claimed, relay, step);
    const beforeBytes = () =>
      change((now) => withRelay(now, { ...relay, ...claims.take(), state: "sending" }));
    const attempt = await attemptDelivery(server, { envelope, bytes, beforeBytes }, times, signal);
    await change((now) => conclude(now, relay, attempt, clock.now()));
  }

  /**
   * Changes the message of an attempt that started with the state `relay`. Retries while the store cannot be reached: only this instance knows
   * what the server has replied.
   */
  async #change(...change: Change): Promise<void> {
    for (;;)
      try {
        return await this.#changeOnce(...change);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || this.#options.signal.aborted) throw error;
        await wait(pause);
      }
  }

  async #changeOnce(...[{ accountId, id }, relay, step]: Change): Promise<void> {
    const { store, claims, isCurrent } = this.#options;
    let found = false;
    await store.change(accountId, id, ({ content: _, ...now }) => {
      const isOwn = claims.isOwn(now.relay) && now.relay?.attempts === relay.attempts;
      // Not if a try before has been stored although it failed.
      found = isCurrent() && now.status === "sent" && isOwn && isClaimed(now.relay);
      return found ? step(now) : undefined;
    });
    if (!found) throw new NotClaimed();
  }
}
