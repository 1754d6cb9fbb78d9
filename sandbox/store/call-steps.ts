import type { Session } from "./session.ts";
import type { Store } from "./store.ts";

/** How long calls that nobody waits for may stay in memory, in milliseconds. */
const wait = 50;

/** The steps of a store about the call log. */
export class CallSteps implements Pick<Store, "logCall" | "call" | "calls"> {
  readonly #session: Session;
  #timer: NodeJS.Timeout | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  readonly logCall: Store["logCall"] = (call) => {
    this.#session.tables.calls.gather(call);
    // Usually the commit of the next request takes it along.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#session.tables.calls.gathered > 0) this.#writeGathered().catch(() => {});
    }, wait).unref();
  };

  readonly call: Store["call"] = async (requestId) => {
    await this.#writeGathered();
    return this.#session.read(({ calls }) => calls.find(requestId));
  };

  readonly calls: Store["calls"] = async (query) => {
    await this.#writeGathered();
    return this.#session.read(({ calls }) => calls.list(query));
  };

  /** Waits for nothing any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #writeGathered(): Promise<void> {
    // Whatever is gathered is written with the commit of a turn.
    return this.#session.write(({ calls }) => calls.writeGathered());
  }
}
