/** The database of the store cannot be reached, or cannot respond now. What the call would have written may be stored or not. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
  /** When to retry, in whole seconds. */
  readonly retryAfter: number;

  constructor(message: string, { retryAfter = 1, cause }: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryAfter = retryAfter;
  }
}
