import { ClosedError, type InitialState } from "../../domain/store.ts";
import type { DataFolder } from "./data-folder.ts";
import { bindTables, sequenceSetting, type Tables } from "./tables.ts";

/** How long nothing must be written before the write-ahead log is checkpointed, in milliseconds. */
const idle = 500;

/** The open database, and how it is read and written. */
export class Session {
  readonly #folder: DataFolder;
  readonly #numberIn: (id: string) => number;
  #tables: Tables;
  #idleTimer: NodeJS.Timeout | undefined;
  #onDue: (dueAt: number) => void = () => {};
  /** The earliest due time written since the last commit. */
  #earliestDue = Number.POSITIVE_INFINITY;

  constructor(folder: DataFolder, numberIn: (id: string) => number) {
    this.#folder = folder;
    this.#numberIn = numberIn;
    this.#tables = this.#bind(folder.database);
  }

  /** Other tables after each reset. */
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

  /** Sets who is told the earliest due time after each commit that wrote any. */
  watchDue(listener: (dueAt: number) => void): void {
    this.#onDue = listener;
  }

  async fill(state: InitialState): Promise<boolean> {
    const { commits, settings } = this.#tables;
    commits.flush();
    if (settings.names().some((name) => name !== sequenceSetting)) return false;
    commits.writeNow(() => fill(this.#tables, state));
    return true;
  }

  async reset(state: InitialState): Promise<void> {
    if (!this.#tables.database.isOpen) throw new ClosedError();
    // Pending writes are settled before.
    this.#tables.commits.flush();
    let tables = this.#tables;
    this.#folder.renew((database) => {
      tables = this.#bind(database);
      fill(tables, state);
    });
    this.#tables = tables;
    this.#afterCommit();
  }

  async close(): Promise<void> {
    const { database, commits, settings, sequence } = this.#tables;
    if (!database.isOpen) return;
    try {
      commits.writeNow(() => settings.set(sequenceSetting, String(sequence.last)));
    } catch {
      // A full disk: the next start skips the unused numbers. Nothing that was confirmed is in this commit.
    }
    commits.close();
    // Only now: the last commit starts the timer too.
    clearTimeout(this.#idleTimer);
    database.close();
    await this.#folder.close();
  }

  #bind(database: Tables["database"]): Tables {
    return bindTables(database, this.#numberIn, {
      afterCommit: () => this.#afterCommit(),
      afterRollback: () => {
        this.#earliestDue = Number.POSITIVE_INFINITY;
      },
      noteDue: (dueAt) => {
        if (dueAt !== null && dueAt < this.#earliestDue) this.#earliestDue = dueAt;
      },
    });
  }

  #afterCommit(): void {
    const dueAt = this.#earliestDue;
    this.#earliestDue = Number.POSITIVE_INFINITY;
    if (dueAt !== Number.POSITIVE_INFINITY) this.#onDue(dueAt);
    this.#checkpointWhenIdle();
  }

  #checkpointWhenIdle(): void {
    if (this.#idleTimer !== undefined) {
      this.#idleTimer.refresh();
      return;
    }
    this.#idleTimer = setTimeout(() => {
      const { database, commits } = this.#tables;
      commits.flush();
      try {
        database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      } catch {
        // A full disk: everything is still in the write-ahead log.
      }
    }, idle).unref();
  }
}

function fill(tables: Tables, { settings, contacts, suppressions, messages }: InitialState): void {
  for (const [name, value] of Object.entries(settings)) tables.settings.set(name, value);
  for (const contact of contacts) tables.contacts.write(contact);
  for (const { accountId, ...suppression } of suppressions) tables.suppressions.add(accountId, suppression);
  for (const message of messages) tables.messages.insert(message);
}
