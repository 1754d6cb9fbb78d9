import type { DatabaseSync, StatementSync } from "node:sqlite";
// Imported, because tests of users may put their own in the place of the global one.
import { setImmediate } from "node:timers";

/** What else happens around a commit. */
export interface CommitEvents {
  /** Writes what was gathered until now. */
  beforeCommit(): void;
  afterCommit(): void;
  /** Nothing of the turn was kept: what is remembered in memory has to be read again. */
  afterFailure(): void;
}

type Turn = PromiseWithResolvers<void>;

/**
 * One transaction for everything that happens in a turn of the event loop: a commit to the disk costs a millisecond, whether it is for one request
 * or for fifty. Who asked for something in the turn hears of it after the commit; when that fails, all of them hear so.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #events: CommitEvents;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  #turn: Turn | undefined;

  constructor(database: DatabaseSync, events: CommitEvents) {
    this.#database = database;
    this.#events = events;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
  }

  /**
   * Reads and decides, then writes what was decided, as one step of the turn. An error of `decide` concerns this call alone; one of `write` undoes the
   * whole turn, since it may have come half-way.
   */
  async write<Decided, Result>(decide: () => Decided, write: (decided: Decided) => Result): Promise<Result> {
    const decided = decide();
    const turn = this.#open();
    let result: Result;
    try {
      result = write(decided);
    } catch (error) {
      this.#fail(turn, error);
      throw error;
    }
    await turn.promise;
    return result;
  }

  /** What is read may be of this turn: then it counts only once that is kept. */
  async read<Result>(read: () => Result): Promise<Result> {
    const result = read();
    if (this.#turn !== undefined) await this.#turn.promise;
    return result;
  }

  /** Commits what is under way now, without waiting for the end of the turn. */
  flush(): void {
    if (this.#turn !== undefined) this.#end(this.#turn);
  }

  /** Writes and commits at once. What is under way is committed before. */
  writeNow(write: () => void): void {
    this.flush();
    const turn = this.#open();
    try {
      write();
      this.#keep(turn);
    } catch (error) {
      this.#fail(turn, error);
      throw error;
    }
  }

  #open(): Turn {
    if (this.#turn !== undefined) return this.#turn;
    this.#begin.run();
    const turn = Promise.withResolvers<void>();
    // Whoever waits gets the error; that nobody waits is no error of its own.
    turn.promise.catch(() => {});
    this.#turn = turn;
    setImmediate(() => {
      if (this.#turn === turn) this.#end(turn);
    });
    return turn;
  }

  #end(turn: Turn): void {
    try {
      this.#keep(turn);
    } catch (error) {
      this.#fail(turn, error);
    }
  }

  #keep(turn: Turn): void {
    this.#events.beforeCommit();
    this.#commit.run();
    this.#turn = undefined;
    turn.resolve();
    this.#events.afterCommit();
  }

  #fail(turn: Turn, error: unknown): void {
    this.#turn = undefined;
    // First: whatever else goes wrong here, nobody is left waiting. They hear of it when all of this is done.
    turn.reject(error);
    // Some errors, such as a full disk, have ended the transaction already.
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    this.#events.afterFailure();
  }
}
