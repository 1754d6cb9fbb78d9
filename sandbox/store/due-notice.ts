/** Tells one listener, after each commit that gave messages due times, of the earliest of them. */
export class DueNotice {
  #listener: (dueAt: number) => void = () => {};
  #earliest = Number.POSITIVE_INFINITY;

  /** Sets who is told; a second replaces the first. */
  watch(listener: (dueAt: number) => void): void {
    this.#listener = listener;
  }

  readonly note = (dueAt: number): void => {
    if (dueAt < this.#earliest) this.#earliest = dueAt;
  };

  /** What was noted is kept now. */
  tell(): void {
    const dueAt = this.#earliest;
    this.forget();
    if (dueAt !== Number.POSITIVE_INFINITY) this.#listener(dueAt);
  }

  /** What was noted was not kept. */
  forget(): void {
    this.#earliest = Number.POSITIVE_INFINITY;
  }
}
