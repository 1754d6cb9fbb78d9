import type { Store } from "../domain/store.ts";
import type { Session } from "./session.ts";

/** How long calls that nobody waits for may stay in memory, in milliseconds. */
const wait = 50;

/** The steps of a store about the call log. */
export class RequestLogSteps implements Pick<Store, "logRequest" | "loggedRequest" | "loggedRequests"> {
  readonly #session: Session;
  #timer: NodeJS.Timeout | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  readonly logRequest: Store["logRequest"] = (call) => {
    this.#session.tables.requestLog.gather(call);
    // Usually the commit of the next request takes it along.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#session.tables.requestLog.gathered > 0) this.#writeGathered().catch(() => {});
    }, wait).unref();
  };

  readonly loggedRequest: Store["loggedRequest"] = async (requestId) => {
    await this.#writeGathered();
    return this.#session.read(({ requestLog }) => requestLog.find(requestId));
  };

  readonly loggedRequests: Store["loggedRequests"] = async (query) => {
    await this.#writeGathered();
    return this.#session.read(({ requestLog }) => requestLog.list(query));
  };

  /** Waits for nothing any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #writeGathered(): Promise<void> {
    // Whatever is gathered is written with the commit of a turn.
    return this.#session.write(({ requestLog }) => requestLog.writeGathered());
  }
}
