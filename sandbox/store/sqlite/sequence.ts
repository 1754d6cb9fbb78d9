/** How many numbers are reserved at a time: a crash skips those that are left. */
const block = 10_000;

/** Unique numbers. They are reserved in the store before the first of them is used. */
export class Sequence {
  #last: number;
  #end: number;
  readonly #reserve: (end: number) => void;

  /**
   * @param end the end of the numbers reserved before
   * @param reserve stores a new end durably
   */
  constructor(end: number, reserve: (end: number) => void) {
    this.#last = end;
    this.#end = end;
    this.#reserve = reserve;
  }

  get last(): number {
    return this.#last;
  }

  next(): number {
    if (this.#last === this.#end) {
      this.#reserve(this.#end + block);
      this.#end += block;
    }
    this.#last += 1;
    return this.#last;
  }
}
