// The part of `node:timers` and `node:timers/promises` that the sandbox uses.
import { clearTimeout, setTimeout as start } from "./globals.ts";

/** Resolves with the value after this time, or rejects with the reason of the signal. */
export function setTimeout<Value>(
  milliseconds: number,
  value?: Value,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = start(() => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
