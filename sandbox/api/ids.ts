import { hash } from "node:crypto";
import { idPrefixes } from "../../generated/ids.ts";
import type { Store } from "../domain/store.ts";

export type Ids = ReturnType<typeof createIds>;

/**
 * Creates ids from the sequence of the store: they are unique across restarts and increase with time. The same seed and the same requests give
 * the same ids. `now` is in milliseconds.
 */
export function createIds({ seed, store }: { seed: string; store: Pick<Store, "nextSequence"> }) {
  const salt = Number.parseInt(hash("sha256", seed).slice(0, 8), 16);
  const ordered = (prefix: string, now: number): string => {
    const sequence = store.nextSequence();
    return prefix + digits(now, 9) + digits(sequence, 7) + digits(scrambled(sequence ^ salt), 4);
  };
  return {
    request: (now: number): string => ordered("req_", now),
    /** For a request that the store cannot give a number, such as on a full disk. Random, and never in the request log. */
    unnumbered: (now: number): string =>
      `req_${digits(now, 9)}${digits(Math.floor(Math.random() * 2 ** 52), 11)}`,
    /** For an immediate send. */
    message: (now: number): string => ordered("msg_", now),
    /** For a scheduled message, or one of a batch. */
    scheduled: (now: number): string => ordered(idPrefixes.ScheduledMessageId, now),
    /** For a confirmation: cannot be guessed from other ids. */
    token: (now: number): string => hash("sha256", `${seed} ${now} ${store.nextSequence()}`).slice(0, 40),
  };
}

const digits = (number: number, length: number): string => number.toString(32).padStart(length, "0");

/** Twenty bits that look random, so that no client takes ids for consecutive numbers. */
function scrambled(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 16)) & 0xfffff;
}
