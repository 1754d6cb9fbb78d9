import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { isClaimed, type RelayState } from "../domain/relay.ts";
import type { Store } from "../domain/store.ts";
import type { SandboxClock } from "../time/clock.ts";
import { type Holder, lease } from "./relay-state.ts";

/** How long a claim lasts unless it is renewed, in milliseconds of real time: a killed instance does not renew it. */
const holdTime = 30_000;

/** How long the claims of an instance last that has lost its connection: it is killed, or renews them on another one. */
const disconnectedTime = 5_000;

/** How often claims are renewed, and those of killed instances are released, in milliseconds. */
const renewal = 2_000;

/** The most messages that one of several instances claims at the same time: if it is killed, they wait until their claims end. */
const mostClaims = 32;

/** From one message to the next of those that are due again because too many are claimed, in milliseconds. */
const spacing = 8;

/** How long to wait for the attempts of other instances, in milliseconds: there may always be some. */
const longestWait = 30_000;

/** How often to look whether other instances have finished their attempts, in milliseconds. */
const pollInterval = 50;

export interface ClaimsOptions {
  store: Pick<Store, "releaseClaims" | "keepClaims" | "isShared" | "instance">;
  clock: Pick<SandboxClock, "now" | "frozen" | "advancing">;
  /** The ids of the messages that this instance has claimed. */
  claimed(): readonly string[];
  onError(error: unknown): void;
}

/** The claims of one of several instances on the messages that it relays. */
export class Claims {
  readonly #options: ClaimsOptions;
  readonly #self: string;
  readonly #renewing: NodeJS.Timeout | undefined;
  #stopped = false;
  /** When waiting for other instances ends. */
  #waitsUntil: number | undefined;
  /** When the last message is due again that was left to others. */
  #latest = 0;

  constructor(options: ClaimsOptions) {
    this.#options = options;
    this.#self = options.store.instance ?? randomUUID();
    if (!options.store.isShared) return;
    const keep = (): void => void this.keep().catch(options.onError);
    this.#renewing = setInterval(keep, renewal).unref();
    keep();
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

  /** Whether to leave further messages to other instances. An advance of the clock includes all that are due. */
  areMany(count: number): boolean {
    const { store, clock } = this.#options;
    return store.isShared && !clock.frozen && !clock.advancing && count >= mostClaims;
  }

  /** When a message that is left to others is due again. */
  later(now: number): number {
    // After a reset the clock may stand before.
    const last = this.#latest > now + lease ? now : Math.max(this.#latest, now);
    this.#latest = last + spacing;
    return this.#latest;
  }

  /** Waits for the attempts of other instances, for a while, and makes due what killed ones have claimed. @returns whether there were any */
  async othersSettled(): Promise<boolean> {
    const end = this.#waitsUntil ?? performance.now() + longestWait;
    this.#waitsUntil = undefined;
    const isLate = (): boolean => performance.now() >= end || this.#stopped;
    if (!this.#options.store.isShared || (await this.#release()) === 0 || isLate()) return false;
    while (!isLate() && (await this.#release()) > 0) await wait(pollInterval);
    // Includes the next call, if there are further claims by then.
    this.#waitsUntil = end;
    return true;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#renewing);
  }

  /** Renews the claims of this instance, and makes due what killed ones have claimed. */
  async keep(): Promise<void> {
    const { store, claimed } = this.#options;
    const now = Date.now();
    await store.keepClaims?.({
      ids: claimed(),
      until: now + holdTime,
      // One that was taken since the last time may not be stored yet.
      lostBefore: now + holdTime - 2 * renewal,
      goneUntil: now + disconnectedTime,
    });
    await this.#release();
  }

  #release(): Promise<number> {
    return this.#options.store.releaseClaims(this.#options.clock.now(), Date.now());
  }
}
