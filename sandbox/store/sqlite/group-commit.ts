import type { DatabaseSync, StatementSync } from "node:sqlite";
// Imported, because users' tests may replace the global one.
import { setImmediate } from "node:timers";
import { ClosedError } from "../../domain/store.ts";

export interface CommitEvents {
  /** Writes what was gathered in memory. */
  beforeCommit(): void;
  afterCommit(): void;
  /** The transaction was rolled back: what is cached in memory has to be read again. */
  afterRollback(): void;
}

type Group = PromiseWithResolvers<void>;

/**
 * Group commit: one transaction for all writes in one turn of the event loop. A commit to the disk costs a millisecond, whether it is for one
 * request or for fifty. The promises of all writes settle after the commit; when it fails, all of them reject.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #events: CommitEvents;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #group: Group | undefined;
  #closed = false;

  constructor(database: DatabaseSync, events: CommitEvents) {
    this.#database = database;
    this.#events = events;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
  }

  /**
   * Reads and decides, then writes the decision, in one step of the transaction. An error of `decide` rejects this call only; an error of
   * `write` rolls back the whole group, since it may have written a part.
   */
  async write<Decided, Result>(decide: () => Decided, write: (decided: Decided) => Result): Promise<Result> {
    this.#checkOpen();
    const decided = decide();
    const group = this.#open();
    let result: Result;
    try {
      result = write(decided);
    } catch (error) {
      this.#rollback(group, error);
      throw error;
    }
    await group.promise;
    return result;
  }

  /** Resolves after the commit of the current group, whose writes may be part of the result. */
  async read<Result>(read: () => Result): Promise<Result> {
    this.#checkOpen();
    const result = read();
    if (this.#group !== undefined) await this.#group.promise;
    return result;
  }

  /** Commits the current group now. */
  flush(): void {
    const group = this.#group;
    if (group === undefined) return;
    try {
      this.#end(group);
    } catch (error) {
      this.#rollback(group, error);
    }
  }

  /** Writes and commits at once, after the current group. */
  writeNow(write: () => void): void {
    this.#checkOpen();
    this.flush();
    const group = this.#open();
    try {
      write();
      this.#end(group);
    } catch (error) {
      this.#rollback(group, error);
      throw error;
    }
  }

  /** Rejects everything from now on with a `ClosedError`. */
  close(): void {
    this.flush();
    this.#closed = true;
  }

  #checkOpen(): void {
    if (this.#closed) throw new ClosedError();
  }

  #open(): Group {
    if (this.#group !== undefined) return this.#group;
    this.#begin.run();
    const group = Promise.withResolvers<void>();
    // Every write reports the error; without any it is not an unhandled rejection.
    group.promise.catch(() => {});
    this.#group = group;
    setImmediate(() => {
      if (this.#group === group) this.flush();
    });
    return group;
  }

  #end(group: Group): void {
    this.#events.beforeCommit();
    this.#commit.run();
    this.#group = undefined;
    group.resolve();
    this.#events.afterCommit();
  }

  #rollback(group: Group, error: unknown): void {
    this.#group = undefined;
    // First: whatever else fails here, no write stays pending. The rejections are delivered after this function.
    group.reject(error);
    // Some errors, such as a full disk, have ended the transaction already.
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    this.#events.afterRollback();
  }
}
