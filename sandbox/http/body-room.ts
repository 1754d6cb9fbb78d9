/** How many bytes of bodies are kept at once, of all connections together: from when they come in until they are answered. */
export const usualRoom = 256 * 1024 * 1024;

/** Counts the bytes that are kept. */
export class BodyRoom {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** How many bytes more can be kept. */
  get left(): number {
    return this.#left;
  }

  /** Takes room for bytes; false, and nothing taken, when there is not so much. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}
