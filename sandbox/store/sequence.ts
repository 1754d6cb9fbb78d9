/** How many numbers are set aside at a time: after a crash those that were left are skipped. */
const block = 10_000;

/** Numbers that are never given out twice: they are set aside in the store before the first of them is used. */
export class Sequence {
  #next: number;
  #end: number;
  readonly #setAside: (end: number) => void;

  /**
   * @param used the end of what was set aside before
   * @param setAside keeps the new end, for good when it returns
   */
  constructor(used: number, setAside: (end: number) => void) {
    this.#next = used + 1;
    this.#end = used;
    this.#setAside = setAside;
  }

  /** The last number given out. */
  get last(): number {
    return this.#next - 1;
  }

  next(): number {
    if (this.#next > this.#end) {
      this.#setAside(this.#end + block);
      this.#end += block;
    }
    const number = this.#next;
    this.#next += 1;
    return number;
  }
}
