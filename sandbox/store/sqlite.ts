import type { DatabaseSync } from "node:sqlite";
import type { Call } from "../domain/records.ts";
import { accept, changeContact } from "./acceptance.ts";
import { type DueRun, runQueue } from "./due-run.ts";
import type { Placed } from "./messages.ts";
import { empty, openFolder, openMemory } from "./open.ts";
import type { Acceptance, ContactChange, DueStep, Store } from "./store.ts";
import { bindTables, sequenceSetting, type Tables } from "./tables.ts";

/** How long calls that nobody waits for may stay in memory, in milliseconds. */
const callsWait = 50;

/** How long nothing may be written before the log is folded into the database, in milliseconds. */
const idle = 500;

/**
 * Opens the store on SQLite: in memory, or in a file of the folder. What the file promises to keep survives the end of the process, however it ends.
 *
 * @throws Mistake when the folder cannot be used
 */
export function openStore(options: { folder?: string } = {}): Store {
  return new SqliteStore(options.folder);
}

class SqliteStore implements Store {
  readonly #folder: string | undefined;
  #tables: Tables;
  #listener: (dueAt: number) => void = () => {};
  #dueInTurn = Number.POSITIVE_INFINITY;
  #callsTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
    this.#tables = this.#bind(folder === undefined ? openMemory() : openFolder(folder));
  }

  recall: Store["recall"] = (work, now) => this.#read((tables) => tables.works.find(work, now));

  accept: Store["accept"] = (acceptance: Acceptance) => accept(this.#tables, acceptance, this.#noteDue);

  message: Store["message"] = (accountId, id) => this.#read((tables) => tables.messages.find(accountId, id));

  messages: Store["messages"] = (page) => this.#read((tables) => tables.messages.list(page));

  summaries: Store["summaries"] = (page) => this.#read((tables) => tables.messages.summaries(page));

  reschedule: Store["reschedule"] = (accountId, id, scheduledAt) =>
    this.#write((tables) => {
      const changed = tables.messages.reschedule(accountId, id, scheduledAt);
      if (changed) this.#noteDue(scheduledAt);
      return changed;
    });

  cancel: Store["cancel"] = (accountId, id) => this.#write((tables) => tables.messages.cancel(accountId, id));

  nextDue: Store["nextDue"] = () => this.#read((tables) => tables.messages.earliestDue());

  runDue: Store["runDue"] = (until, limit, step) => {
    const tables = this.#tables;
    return tables.turns.write(
      () => {
        const queue = tables.messages.due(until, limit);
        const whole = queue.length < limit ? until : (queue.at(-1)?.message.dueAt ?? until) - 1;
        return runQueue(queue, whole, limit, step);
      },
      (run) => this.#keepRun(tables, run),
    );
  };

  change: Store["change"] = (accountId, id, step) => {
    const tables = this.#tables;
    return tables.turns.write(
      () => {
        const placed = tables.messages.place(accountId, id);
        return placed && { placed, result: step(placed.message) };
      },
      (decided) => {
        if (decided?.result === undefined) return decided?.placed.message;
        const { placed, result } = decided;
        const { content } = placed.message;
        this.#keepStep(tables, { seq: placed.seq, message: result.message }, result);
        return { ...result.message, content };
      },
    );
  };

  watchDue: Store["watchDue"] = (listener) => {
    this.#listener = listener;
  };

  suppress: Store["suppress"] = (accountId, address, reason, at) =>
    this.#write((tables) => tables.suppressions.add(accountId, { address, reason, at }));

  unsuppress: Store["unsuppress"] = (accountId, address) =>
    this.#write((tables) => tables.suppressions.remove(accountId, address));

  suppressions: Store["suppressions"] = (accountId) =>
    this.#read((tables) => tables.suppressions.list(accountId));

  used: Store["used"] = (accountId, now) => this.#read((tables) => tables.quota.used(accountId, now));

  contact: Store["contact"] = (accountId, email) =>
    this.#read((tables) => tables.contacts.find(accountId, email));

  contacts: Store["contacts"] = (query) => this.#read((tables) => tables.contacts.page(query));

  changeContact<Result>(change: ContactChange<Result>) {
    return changeContact(this.#tables, change);
  }

  logCall: Store["logCall"] = (call: Call) => {
    this.#tables.calls.gather(call);
    // Usually the commit of the next request takes it along.
    this.#callsTimer ??= setTimeout(() => {
      this.#callsTimer = undefined;
      if (this.#tables.calls.gathered > 0) this.#writeCalls().catch(() => {});
    }, callsWait).unref();
  };

  call: Store["call"] = async (requestId) => {
    await this.#writeCalls();
    return this.#read((tables) => tables.calls.find(requestId));
  };

  calls: Store["calls"] = async (query) => {
    await this.#writeCalls();
    return this.#read((tables) => tables.calls.list(query));
  };

  forget: Store["forget"] = (now) =>
    this.#write((tables) => {
      tables.works.forget(now);
      tables.calls.forget(now);
      tables.messages.forget(now);
    });

  setting: Store["setting"] = (name) => this.#tables.settings.get(name);

  setSetting: Store["setSetting"] = (name, value) =>
    this.#write((tables) => tables.settings.set(name, value));

  nextSequence: Store["nextSequence"] = () => this.#tables.sequence.next();

  reset: Store["reset"] = async () => {
    const { database, turns } = this.#tables;
    turns.flush();
    if (this.#folder === undefined) {
      // A new database is there at once; letting go of a big one takes a while, which nobody needs to wait for.
      this.#tables = this.#bind(openMemory());
      setTimeout(() => database.close(), idle).unref();
    } else {
      empty(database);
      this.#tables = this.#bind(database);
    }
  };

  close: Store["close"] = async () => {
    const { database, turns, settings, sequence } = this.#tables;
    if (!database.isOpen) return;
    turns.writeNow(() => settings.set(sequenceSetting, String(sequence.last)));
    // Only now: the last commit winds the timer up too.
    clearTimeout(this.#callsTimer);
    clearTimeout(this.#idleTimer);
    database.close();
  };

  #read<Result>(read: (tables: Tables) => Result): Promise<Result> {
    const tables = this.#tables;
    return tables.turns.read(() => read(tables));
  }

  #write<Result>(write: (tables: Tables) => Result): Promise<Result> {
    const tables = this.#tables;
    return tables.turns.write(
      () => tables,
      () => write(tables),
    );
  }

  #writeCalls(): Promise<void> {
    // Whatever is gathered is written with the commit of a turn.
    return this.#write((tables) => tables.calls.writeGathered());
  }

  #keepRun(tables: Tables, { steps, changed, effects }: DueRun): number {
    for (const placed of changed) tables.messages.update(placed);
    for (const step of effects) this.#keepEffects(tables, step);
    return steps;
  }

  #keepStep(tables: Tables, placed: Placed, step: DueStep): void {
    tables.messages.update(placed);
    if (placed.message.dueAt !== null) this.#noteDue(placed.message.dueAt);
    this.#keepEffects(tables, step);
  }

  #keepEffects(tables: Tables, { message, counted, suppress }: DueStep): void {
    if (counted !== undefined) tables.quota.add(message.accountId, counted.at, counted.recipients);
    for (const suppression of suppress ?? []) tables.suppressions.add(message.accountId, suppression);
  }

  #noteDue = (dueAt: number): void => {
    if (dueAt < this.#dueInTurn) this.#dueInTurn = dueAt;
  };

  #bind(database: DatabaseSync): Tables {
    return bindTables(
      database,
      () => this.#afterCommit(),
      () => {
        this.#dueInTurn = Number.POSITIVE_INFINITY;
      },
    );
  }

  #afterCommit(): void {
    const dueAt = this.#dueInTurn;
    this.#dueInTurn = Number.POSITIVE_INFINITY;
    if (dueAt !== Number.POSITIVE_INFINITY) this.#listener(dueAt);
    if (this.#folder !== undefined) this.#checkpointWhenIdle();
  }

  #checkpointWhenIdle(): void {
    if (this.#idleTimer !== undefined) {
      this.#idleTimer.refresh();
      return;
    }
    this.#idleTimer = setTimeout(() => {
      const { database, turns } = this.#tables;
      turns.flush();
      database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    }, idle).unref();
  }
}
