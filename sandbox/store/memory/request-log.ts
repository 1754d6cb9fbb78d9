import type { LoggedRequest } from "../../domain/records.ts";
import { keptFor } from "../../domain/retention.ts";
import type { Page } from "../../domain/store.ts";
import { newest } from "./newest.ts";

type Entry = LoggedRequest & { seq: number };

/** The most logged requests: beyond it the oldest go. */
const most = 10_000;

/** How many go at once. */
const slack = 1_000;

/** The logged requests, in the order of their responses. */
export class RequestLog {
  #entries: Entry[] = [];
  #last = 0;

  add(request: LoggedRequest): void {
    this.#last += 1;
    this.#entries.push({ ...request, seq: this.#last });
    if (this.#entries.length >= most + slack) this.#entries = this.#entries.slice(-most);
  }

  find(requestId: string): LoggedRequest | undefined {
    const entry = this.#entry(requestId);
    return entry && withoutNumber(entry);
  }

  list(page: Page): LoggedRequest[] {
    const before = page.before === undefined ? undefined : (this.#entry(page.before)?.seq ?? 0);
    return newest(this.#entries, ({ accountId }) => accountId, page, before).map(withoutNumber);
  }

  forget(now: number): void {
    this.#entries = this.#entries.filter(({ at }) => at > now - keptFor.requests);
  }

  /** Searched: requests are looked up by people, and logged by programs. */
  #entry(requestId: string): Entry | undefined {
    return this.#entries.findLast((entry) => entry.requestId === requestId);
  }
}

const withoutNumber = ({ seq: _, ...request }: Entry): LoggedRequest => request;
