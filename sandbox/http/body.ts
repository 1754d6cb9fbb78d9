/** The largest bodies that are read, in bytes. */
export const bodyLimits = {
  /** Read without looking at the request: checking its path and key twice would cost more. */
  unchecked: 16 * 1024,
  /** The control API and forms, which have a few short fields. */
  control: 1024 * 1024,
  /** The largest attachments of a message fit: 28 MiB are 37.4 MiB in base64, and 39.3 MiB with line breaks. */
  api: 40 * 1024 * 1024,
  /** All bodies together, from when they come in until their responses are sent. */
  total: 256 * 1024 * 1024,
} as const;

/** Counts the bytes of all bodies in memory. */
export class BodyRoom {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get left(): number {
    return this.#left;
  }

  /** Reserves bytes. @returns false, without reserving any, when there is not enough room */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}
