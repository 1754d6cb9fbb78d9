import type { Page } from "../../domain/lists.ts";
import type { LoggedRequest } from "../../domain/records.ts";
import { keptFor } from "../../domain/retention.ts";
import type { Bound } from "./bounds.ts";
import { newest } from "./newest.ts";
import { PackedRecords, type Place } from "./packed-records.ts";

/** The logged requests, in the order of their responses. Beyond the bound the oldest go. */
export class RequestLog {
  readonly #bound: Bound;
  readonly #records = new PackedRecords();
  #entries: Place[] = [];

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  add(request: LoggedRequest): void {
    this.#entries.push(this.#records.add(valuesOf(request)));
    const { number, bytes } = this.#bound;
    // Removing the oldest copies the rest, so a tenth of them waits for it.
    if (this.#entries.length >= 1.1 * number || this.#records.bytes > bytes)
      this.#dropOldest(number, 0.9 * bytes);
  }

  find(requestId: string): LoggedRequest | undefined {
    const place = this.#entries[this.#indexOf(requestId)];
    return place === undefined ? undefined : this.#read(place);
  }

  list({ accountId, limit, before }: Page): LoggedRequest[] {
    const end = before === undefined ? this.#entries.length : this.#indexOf(before);
    const isWanted = (place: Place, index: number): boolean =>
      index < end && (accountId === undefined || this.#read(place).accountId === accountId);
    return newest(this.#entries, isWanted, limit).map((place) => this.#read(place));
  }

  forget(now: number): void {
    this.#keep((place) => this.#read(place).at > now - keptFor.requests);
  }

  #dropOldest(number: number, bytes: number): void {
    const { length } = this.#entries;
    this.#keep((_, index) => length - index <= number && this.#records.bytes <= bytes);
  }

  #keep(isKept: (place: Place, index: number) => boolean): void {
    this.#entries = this.#entries.filter((place, index) => {
      if (isKept(place, index)) return true;
      this.#records.remove(place);
      return false;
    });
  }

  #read(place: Place): LoggedRequest {
    const [requestId, accountId, method, path, status, errorType, fields, at] =
      this.#records.read<ReturnType<typeof valuesOf>>(place);
    return { requestId, accountId, method, path, status, errorType, fields, at };
  }

  /** Searched: requests are looked up by people, and logged by programs. */
  #indexOf(requestId: string): number {
    return this.#entries.findLastIndex((place) => this.#read(place).requestId === requestId);
  }
}

const valuesOf = ({ requestId, accountId, method, path, status, errorType, fields, at }: LoggedRequest) =>
  [requestId, accountId, method, path, status, errorType, fields, at] as const;
