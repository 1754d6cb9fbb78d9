import type { LoggedRequest } from "../../domain/records.ts";
import { keptFor } from "../../domain/retention.ts";
import type { Page } from "../../domain/store.ts";
import type { Bound } from "./bounds.ts";
import { PackedRecords, type RecordLocation } from "./packed-records.ts";

/** Requests are packed by so many: one by one takes twice the time. Long paths and many fields make a group smaller, in characters. */
const group = { number: 32, characters: 4_096 };

type Values = ReturnType<typeof valuesOf>;

interface Group {
  location: RecordLocation;
  number: number;
  /** The time of its earliest request. */
  earliest: number;
}

/** The logged requests, in the order of their responses. Beyond the bound the oldest groups go, but never the last one. */
export class RequestLog {
  readonly #bound: Bound;
  readonly #records = new PackedRecords();
  /** The packed ones, and how many they are. */
  #groups: Group[] = [];
  #packed = 0;
  /** The ones after them, and the length of their paths and fields. */
  #latest: Values[] = [];
  #characters = 0;

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  add(request: LoggedRequest): void {
    const values = valuesOf(request);
    this.#latest.push(values);
    this.#characters += charactersOf(values);
    if (this.#latest.length === group.number || this.#characters > group.characters) this.#pack();
  }

  #pack(): void {
    this.#groups.push(this.#grouped(this.#latest));
    this.#latest = [];
    this.#characters = 0;
    const { number, bytes } = this.#bound;
    while (this.#groups.length > 1) {
      const [oldest] = this.#groups as [Group];
      if (this.#packed - oldest.number < number && this.#records.bytes <= bytes) return;
      this.#groups.shift();
      this.#remove(oldest);
    }
  }

  #grouped(requests: readonly Values[]): Group {
    this.#packed += requests.length;
    const earliest = Math.min(...requests.map(timeOf));
    return { location: this.#records.add(requests), number: requests.length, earliest };
  }

  #remove({ number, location }: Group): void {
    this.#packed -= number;
    this.#records.remove(location);
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
    const end = now - keptFor.requests;
    this.#groups = this.#groups.flatMap((group) => (group.earliest > end ? group : this.#since(group, end)));
    this.#latest = this.#latest.filter((values) => timeOf(values) > end);
    this.#characters = this.#latest.reduce((sum, values) => sum + charactersOf(values), 0);
  }

  /** Packs those of a group again that are kept. */
  #since(group: Group, end: number): Group[] {
    const kept = this.#records.read<Values[]>(group.location).filter((values) => timeOf(values) > end);
    this.#remove(group);
    return kept.length === 0 ? [] : [this.#grouped(kept)];
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

const timeOf = ([, , , , , , , at]: Values): number => at;

/** What its texts of any length take. */
const charactersOf = ([, , , path, , , fields]: Values): number =>
  path.length + (fields.length === 0 ? 0 : JSON.stringify(fields).length);
