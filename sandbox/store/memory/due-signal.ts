/** Tells a listener the earliest due time that was written, after the turn: one call is enough for all messages of a request. */
export class DueSignal {
  #listener: (dueAt: number) => void = () => {};
  #earliest = Number.POSITIVE_INFINITY;

  listen(listener: (dueAt: number) => void): void {
    this.#listener = listener;
  }

  note(dueAt: number | null): void {
    if (dueAt === null || dueAt >= this.#earliest) return;
    if (this.#earliest === Number.POSITIVE_INFINITY) queueMicrotask(() => this.#tell());
    this.#earliest = dueAt;
  }

  #tell(): void {
    const dueAt = this.#earliest;
    this.#earliest = Number.POSITIVE_INFINITY;
    this.#listener(dueAt);
  }
}
