import { ClosedError } from "../domain/closed.ts";
import type { Store } from "../domain/store.ts";
import { StoreUnavailableError } from "../domain/unavailable.ts";
import { storeFailed } from "./failure.ts";

/** How long a request or a probe waits for the store to respond at all, in milliseconds. Its own limits are longer, for large transactions. */
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

/** How long a shared store that was written is not written again, in milliseconds: many instances are checked often, and write the same row. */
const writeInterval = 10_000;

type CheckedStore = Pick<Store, "nextDue" | "changeSetting" | "isShared">;

/** When a shared store was written. */
const writtenAt = new WeakMap<CheckedStore, number>();

/** Whether a store can be read and written: what is wrong, as a sentence. @throws ClosedError */
export async function problemOf(store: CheckedStore): Promise<string | undefined> {
  try {
    await inTime(readAndWrite(store));
    return undefined;
  } catch (error) {
    writtenAt.delete(store);
    if (error instanceof ClosedError) throw error;
    return storeFailed(error instanceof Error ? error : new Error(String(error)));
  }
}

async function readAndWrite(store: CheckedStore): Promise<void> {
  await store.nextDue();
  if (performance.now() - (writtenAt.get(store) ?? Number.NEGATIVE_INFINITY) < writeInterval) return;
  // On a full disk, reading still works, and so does writing the value that is there.
  await store.changeSetting("health", (value) => ({ value: value === "0" ? "1" : "0", result: undefined }));
  if (store.isShared) writtenAt.set(store, performance.now());
}
