import type { DatabaseSync } from "node:sqlite";
import type { DatabaseSource } from "./database-source.ts";
import { DueNotice } from "./due-notice.ts";
import { bindTables, sequenceSetting, type Tables } from "./tables.ts";

/** How long nothing may be written before the log is folded into the database, in milliseconds. */
const idle = 500;

/** The database that is open now, and how it is read and written: what all parts of a store share. */
export class Session {
  readonly due = new DueNotice();
  readonly #place: DatabaseSource;
  readonly #numberIn: (id: string) => number;
  #tables: Tables;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(place: DatabaseSource, numberIn: (id: string) => number) {
    this.#place = place;
    this.#numberIn = numberIn;
    this.#tables = this.#bind(place.database);
  }

  /** Those of now: a reset puts others in their place. */
  get tables(): Tables {
    return this.#tables;
  }

  read<Result>(read: (tables: Tables) => Result): Promise<Result> {
    const tables = this.#tables;
    return tables.commits.read(() => read(tables));
  }

  write<Result>(write: (tables: Tables) => Result): Promise<Result> {
    const tables = this.#tables;
    return tables.commits.write(
      () => tables,
      () => write(tables),
    );
  }

  async reset(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    // Whoever was still waiting is answered before.
    this.#tables.commits.flush();
    this.#tables = this.#bind(this.#place.renew(settings));
  }

  async close(): Promise<void> {
    const { database, commits: turns, settings, sequence } = this.#tables;
    if (!database.isOpen) return;
    turns.writeNow(() => settings.set(sequenceSetting, String(sequence.last)));
    // Only now: the last commit winds the timer up too.
    clearTimeout(this.#idleTimer);
    database.close();
    await this.#place.close();
  }

  #bind(database: DatabaseSync): Tables {
    return bindTables(
      database,
      this.#numberIn,
      () => {
        this.due.tell();
        if (this.#place.lasting) this.#checkpointWhenIdle();
      },
      () => this.due.forget(),
    );
  }

  #checkpointWhenIdle(): void {
    if (this.#idleTimer !== undefined) {
      this.#idleTimer.refresh();
      return;
    }
    this.#idleTimer = setTimeout(() => {
      const { database, commits: turns } = this.#tables;
      turns.flush();
      database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    }, idle).unref();
  }
}
