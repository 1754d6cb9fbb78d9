import type { LoggedRequest } from "../../domain/records.ts";
import { keptFor } from "../../domain/retention.ts";
import type { Page } from "../../domain/store.ts";
import { newest } from "./newest.ts";

/** The most logged requests: beyond it the oldest go. */
const most = 10_000;

/** How many go at once. */
const slack = 1_000;

/** The logged requests, in the order of their responses. */
export class RequestLog {
  #entries: LoggedRequest[] = [];

  /** Keeps the entry itself. */
  add(request: LoggedRequest): void {
    this.#entries.push(request);
    if (this.#entries.length >= most + slack) this.#entries = this.#entries.slice(-most);
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
  }

  /** Searched: requests are looked up by people, and logged by programs. */
  #indexOf(requestId: string): number {
    return this.#entries.findLastIndex((entry) => entry.requestId === requestId);
  }
}
