/** The pauses between attempts, in milliseconds: each is twice as long as the one before, until the longest. */
export class Backoff {
  readonly #first: number;
  readonly #longest: number;
  #last = 0;

  constructor(first: number, longest: number) {
    this.#first = first;
    this.#longest = longest;
  }

  /** The next pause. */
  next(): number {
    this.#last = Math.min(Math.max(this.#last * 2, this.#first), this.#longest);
    return this.#last;
  }

  /** After an attempt that succeeded. */
  reset(): void {
    this.#last = 0;
  }
}
