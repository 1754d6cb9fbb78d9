import { document, headerName } from "../document.ts";
import type { Exchange } from "../exchange.ts";

const header = headerName(document, "ServiceRequestId").toLowerCase();

/** The most ids of each of the two sets. */
const most = 100_000;

/** The request ids of the last responses: not all of them, so that memory is bounded. */
export class RequestIds {
  #recent = new Map<string, number>();
  #older = new Map<string, number>();
  #now = 0;

  /** Whether the same exchange was seen before, in another record of the same traffic. */
  isRepeated({ headers, startedAt }: Exchange): boolean {
    const id = headers[header];
    this.#now = startedAt;
    if (id === undefined) return false;
    return startedAt > 0 && (this.#recent.get(id) ?? this.#older.get(id)) === startedAt;
  }

  has(id: string): boolean {
    return this.#recent.has(id) || this.#older.has(id);
  }

  clear(): void {
    this.#recent.clear();
    this.#older.clear();
  }

  add(id: string): void {
    this.#recent.set(id, this.#now);
    if (this.#recent.size < most) return;
    this.#older = this.#recent;
    this.#recent = new Map();
  }
}
