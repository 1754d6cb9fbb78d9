import type { Page } from "../../domain/lists.ts";
import type { LoggedRequest } from "../../domain/records.ts";
import { keptFor } from "../../domain/retention.ts";
import type { Bound } from "./bounds.ts";
import { newest } from "./newest.ts";

/** The logged requests, in the order of their responses. Beyond the bound the oldest go. */
export class RequestLog {
  readonly #bound: Bound;
  #entries: LoggedRequest[] = [];
  #bytes = 0;

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  /** Keeps the entry itself. */
  add(request: LoggedRequest): void {
    this.#entries.push(request);
    this.#bytes += sizeOf(request);
    const { number, bytes } = this.#bound;
    // Removing the oldest copies the rest, so a tenth of them waits for it.
    if (this.#entries.length >= 1.1 * number || this.#bytes > bytes) this.#dropOldest(number, 0.9 * bytes);
  }

  find(requestId: string): LoggedRequest | undefined {
    return this.#entries[this.#indexOf(requestId)];
  }

  list({ accountId, limit, before }: Page): LoggedRequest[] {
    const end = before === undefined ? this.#entries.length : this.#indexOf(before);
    const isWanted = (entry: LoggedRequest, index: number): boolean =>
      index < end && (accountId === undefined || entry.accountId === accountId);
    return newest(this.#entries, isWanted, limit);
  }

  forget(now: number): void {
    this.#entries = this.#entries.filter(({ at }) => at > now - keptFor.requests);
    this.#bytes = this.#entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  }

  #dropOldest(number: number, bytes: number): void {
    const surplus = this.#entries.findIndex((entry, index) => {
      if (this.#entries.length - index <= number && this.#bytes <= bytes) return true;
      this.#bytes -= sizeOf(entry);
      return false;
    });
    this.#entries = surplus < 0 ? [] : this.#entries.slice(surplus);
  }

  /** Searched: requests are looked up by people, and logged by programs. */
  #indexOf(requestId: string): number {
    return this.#entries.findLastIndex((entry) => entry.requestId === requestId);
  }
}

/** What the objects of an entry take beside its texts, in bytes. */
const objects = 200;

function sizeOf({ path, fields }: LoggedRequest): number {
  let size = objects + path.length;
  for (const name of fields) size += name.length;
  return size;
}
