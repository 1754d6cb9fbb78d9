import { ClosedError, type Store, StoreUnavailableError } from "../domain/store.ts";
import { storeFailed } from "./failure.ts";

/** How long a request waits for the store to respond at all, in milliseconds. Its own limits are longer, for large transactions. */
const responseTimeout = 1_500;

/** The end of it, in which a response that came in while this process was busy is read. */
const readTime = 200;

/** Rejects if the store does not respond soon. */
export async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const tooLate = (): void =>
    reject(new StoreUnavailableError(`No response within ${responseTimeout / 1000} seconds.`));
  let timer = setTimeout(() => {
    timer = setTimeout(tooLate, readTime);
  }, responseTimeout - readTime);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a store responds: what is wrong, as a sentence. @throws ClosedError */
export async function problemOf(store: Pick<Store, "nextDue">): Promise<string | undefined> {
  try {
    await inTime(store.nextDue());
    return undefined;
  } catch (error) {
    if (error instanceof ClosedError) throw error;
    return storeFailed(error instanceof Error ? error : new Error(String(error)));
  }
}
