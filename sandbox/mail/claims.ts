import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { RelayState } from "../domain/relay.ts";
import type { DueStep, Store } from "../domain/store.ts";
import type { SandboxClock } from "../time/clock.ts";
import { type Holder, withRelay } from "./relay-state.ts";

/** How long a claim lasts unless it is renewed, in milliseconds of real time: a killed instance does not renew it. */
const holdTime = 30_000;

/** How often claims are renewed, and those of killed instances are released, in milliseconds. */
const renewal = 5_000;

/** How often to look whether other instances have finished their attempts, in milliseconds. */
const pollInterval = 50;

export const isClaimed = (relay: RelayState | undefined): boolean =>
  relay?.state === "claimed" || relay?.state === "sending";

export interface ClaimsOptions {
  store: Pick<Store, "change" | "releaseClaims" | "isShared">;
  clock: Pick<SandboxClock, "now">;
  /** The messages that this instance has claimed. */
  claimed(): readonly { accountId: string; id: string }[];
  onError(error: unknown): void;
}

/** The claims of one of several instances on the messages that it relays. */
export class Claims {
  readonly #options: ClaimsOptions;
  readonly #self = randomUUID();
  readonly #renewing: NodeJS.Timeout | undefined;

  constructor(options: ClaimsOptions) {
    this.#options = options;
    if (!options.store.isShared) return;
    this.#renewing = setInterval(() => this.#renew().catch(options.onError), renewal).unref();
  }

  /** A claim from now on. */
  take(): Holder {
    return { holder: this.#self, heldUntil: Date.now() + holdTime };
  }

  isOwn(relay: RelayState | undefined): boolean {
    return relay?.holder === this.#self;
  }

  /** Whether another instance is relaying the message. */
  isElsewhere(relay: RelayState): boolean {
    const { heldUntil = 0 } = relay;
    return this.#options.store.isShared && isClaimed(relay) && !this.isOwn(relay) && heldUntil > Date.now();
  }

  /** Waits for the attempts of other instances, and makes due what killed ones have claimed. @returns whether there were any */
  async othersSettled(): Promise<boolean> {
    const { store } = this.#options;
    if (!store.isShared || (await this.#release()) === 0) return false;
    while ((await this.#release()) > 0) await wait(pollInterval);
    return true;
  }

  end(): void {
    clearInterval(this.#renewing);
  }

  #release(): Promise<number> {
    return this.#options.store.releaseClaims(this.#options.clock.now(), Date.now());
  }

  async #renew(): Promise<void> {
    for (const { accountId, id } of this.#options.claimed())
      await this.#options.store.change(accountId, id, ({ content: _, ...message }): DueStep | undefined =>
        message.relay !== undefined && isClaimed(message.relay) && this.isOwn(message.relay)
          ? withRelay(message, { ...message.relay, ...this.take() })
          : undefined,
      );
    await this.#release();
  }
}
