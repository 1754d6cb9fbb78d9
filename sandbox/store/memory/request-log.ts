import type { Page } from "../../domain/lists.ts";
import type { LoggedRequest } from "../../domain/records.ts";
import { keptFor } from "../../domain/retention.ts";
import type { Bound } from "./bounds.ts";
import { PackedRecords, type RecordLocation } from "./packed-records.ts";

/** Requests are packed by so many: one by one takes twice the time. Long paths make a group smaller, in characters. */
const group = { number: 32, characters: 4_096 };

type Values = ReturnType<typeof valuesOf>;

interface Group {
  location: RecordLocation;
  number: number;
}

/** The logged requests, in the order of their responses. Beyond the bound the oldest groups go. */
export class RequestLog {
  readonly #bound: Bound;
  readonly #records = new PackedRecords();
  /** The packed ones, and how many they are. */
  #groups: Group[] = [];
  #packed = 0;
  /** The ones after them, and the length of their paths. */
  #latest: Values[] = [];
  #characters = 0;

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  add(request: LoggedRequest): void {
    this.#latest.push(valuesOf(request));
    this.#characters += request.path.length;
    if (this.#latest.length === group.number || this.#characters > group.characters) this.#pack();
  }

  #pack(): void {
    const { length } = this.#latest;
    this.#groups.push({ location: this.#records.add(this.#latest), number: length });
    this.#packed += length;
    this.#latest = [];
    this.#characters = 0;
    const { number, bytes } = this.#bound;
    for (let [oldest] = this.#groups; oldest !== undefined; [oldest] = this.#groups) {
      if (this.#packed - oldest.number < number && this.#records.bytes <= bytes) return;
      this.#drop(oldest);
    }
  }

  #drop(oldest: Group): void {
    this.#groups.shift();
    this.#packed -= oldest.number;
    this.#records.remove(oldest.location);
  }

  find(requestId: string): LoggedRequest | undefined {
    for (const request of this.#newestFirst()) if (request.requestId === requestId) return request;
    return undefined;
  }

  list({ accountId, limit, before }: Page): LoggedRequest[] {
    const page: LoggedRequest[] = [];
    let isAfter = before !== undefined;
    for (const request of this.#newestFirst()) {
      if (page.length === limit) break;
      if (!isAfter && (accountId === undefined || request.accountId === accountId)) page.push(request);
      if (request.requestId === before) isAfter = false;
    }
    return page;
  }

  forget(now: number): void {
    const kept = [...this.#newestFirst()].filter(({ at }) => at > now - keptFor.requests).reverse();
    for (const packed of [...this.#groups]) this.#drop(packed);
    this.#latest = [];
    this.#characters = 0;
    for (const request of kept) this.add(request);
  }

  *#newestFirst(): Generator<LoggedRequest> {
    yield* newestFirst(this.#latest);
    for (const { location } of this.#groups.toReversed()) yield* newestFirst(this.#records.read(location));
  }
}

function* newestFirst(requests: readonly Values[]): Generator<LoggedRequest> {
  for (const [requestId, accountId, method, path, status, errorType, fields, at] of requests.toReversed())
    yield { requestId, accountId, method, path, status, errorType, fields, at };
}

const valuesOf = ({ requestId, accountId, method, path, status, errorType, fields, at }: LoggedRequest) =>
  [requestId, accountId, method, path, status, errorType, fields, at] as const;
