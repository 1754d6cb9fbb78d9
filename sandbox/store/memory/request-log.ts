import type { Page } from "../../domain/lists.ts";
import type { LoggedRequest } from "../../domain/records.ts";
import { keptFor } from "../../domain/retention.ts";
import type { Bound } from "./bounds.ts";
import { PackedRecords, type Place } from "./packed-records.ts";

/** Requests are packed by so many: one by one, packing them takes twice the time. */
const groupSize = 32;

type Values = ReturnType<typeof valuesOf>;

/** The logged requests, in the order of their responses. Beyond the bound the oldest go, as whole groups. */
export class RequestLog {
  readonly #bound: Bound;
  readonly #records = new PackedRecords();
  /** The packed ones. */
  #groups: Place[] = [];
  /** The ones after them. */
  #latest: Values[] = [];

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  add(request: LoggedRequest): void {
    this.#latest.push(valuesOf(request));
    if (this.#latest.length < groupSize) return;
    this.#groups.push(this.#records.add(this.#latest));
    this.#latest = [];
    const { number, bytes } = this.#bound;
    while ((this.#groups.length - 1) * groupSize >= number || this.#records.bytes > bytes) {
      const oldest = this.#groups.shift();
      if (oldest === undefined) return;
      this.#records.remove(oldest);
    }
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
    for (const group of this.#groups) this.#records.remove(group);
    this.#groups = [];
    this.#latest = [];
    for (const request of kept) this.add(request);
  }

  *#newestFirst(): Generator<LoggedRequest> {
    yield* newestFirst(this.#latest);
    for (const group of this.#groups.toReversed()) yield* newestFirst(this.#records.read<Values[]>(group));
  }
}

function* newestFirst(group: readonly Values[]): Generator<LoggedRequest> {
  for (const [requestId, accountId, method, path, status, errorType, fields, at] of group.toReversed())
    yield { requestId, accountId, method, path, status, errorType, fields, at };
}

const valuesOf = ({ requestId, accountId, method, path, status, errorType, fields, at }: LoggedRequest) =>
  [requestId, accountId, method, path, status, errorType, fields, at] as const;
