import type { Store } from "../domain/store.ts";
import { problemOf } from "./check.ts";

/** How often a store that failed is checked, in milliseconds. */
const interval = 1_000;

/** Checks a store from its first failure on, until it works again: without requests, nobody else would notice. */
export class Recovery {
  readonly #onRecovery: (milliseconds: number) => void;
  #store: Store | undefined;
  #failedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param onRecovery gets how long the store failed */
  constructor(onRecovery: (milliseconds: number) => void = () => {}) {
    this.#onRecovery = onRecovery;
  }

  /** Failures are those of this store from now on. */
  watch(store: Store): void {
    this.#store = store;
  }

  /** The store has failed. */
  failed(): void {
    if (this.#failedAt !== undefined || this.#store === undefined) return;
    this.#failedAt = performance.now();
    this.#checkLater();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #checkLater(): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#check(), interval).unref();
  }

  async #check(): Promise<void> {
    if (this.#store === undefined || this.#failedAt === undefined) return;
    // A closed store says so by rejecting.
    const problem = await problemOf(this.#store).catch((error: Error) => error.message);
    if (problem !== undefined) return this.#checkLater();
    const milliseconds = performance.now() - this.#failedAt;
    this.#failedAt = undefined;
    if (!this.#stopped) this.#onRecovery(milliseconds);
  }
}
