// Imported, because users' tests may replace the global one.
import { setImmediate } from "node:timers";

/** The result of one call of a group. */
export type Settled<Result> = { value: Result } | { error: unknown };

interface Waiting<Call, Result> {
  call: Call;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface GroupOptions<Call, Result> {
  /** Gets at least one call. When it rejects, all of them reject. */
  run(calls: Call[]): Promise<Settled<Result>[]>;
  /** The most calls in one run. */
  size: number;
  /** The most runs at the same time. */
  concurrent: number;
}

/**
 * Runs the calls of one turn of the event loop together, and those that come while earlier ones are running: a round trip to the database and a
 * commit cost as much for one call as for fifty.
 */
export class Group<Call, Result> {
  readonly #options: GroupOptions<Call, Result>;
  #waiting: Waiting<Call, Result>[] = [];
  #running = 0;
  #scheduled = false;
  #onSettled: (() => void)[] = [];

  constructor(options: GroupOptions<Call, Result>) {
    this.#options = options;
  }

  add(call: Call): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ call, resolve, reject });
    this.#schedule();
    return promise;
  }

  /** Resolves once no call is waiting or running. */
  async settled(): Promise<void> {
    if (this.#waiting.length + this.#running === 0) return;
    await new Promise<void>((resolve) => this.#onSettled.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled || this.#running >= this.#options.concurrent) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  #start(): void {
    const { run, size, concurrent } = this.#options;
    while (this.#waiting.length > 0 && this.#running < concurrent) {
      const taken = this.#waiting.splice(0, size);
      this.#running += 1;
      const ended = run(taken.map(({ call }) => call)).then(
        (results) => settle(taken, results),
        (error) => {
          for (const { reject } of taken) reject(error);
        },
      );
      ended.finally(() => this.#end());
    }
  }

  #end(): void {
    this.#running -= 1;
    if (this.#waiting.length > 0) this.#schedule();
    else if (this.#running === 0) for (const resolve of this.#onSettled.splice(0)) resolve();
  }
}

function settle<Call, Result>(taken: Waiting<Call, Result>[], results: Settled<Result>[]): void {
  for (const [index, { resolve, reject }] of taken.entries()) {
    const result = results[index];
    if (result === undefined) reject(new Error("A call of the group has no result."));
    else if ("error" in result) reject(result.error);
    else resolve(result.value);
  }
}

/** A group whose calls cannot fail on their own. */
export const all = <Result>(results: Result[]): Settled<Result>[] => results.map((value) => ({ value }));
