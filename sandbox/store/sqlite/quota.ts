import type { DatabaseSync, StatementSync } from "node:sqlite";
import { monthOf } from "../../domain/times.ts";

interface Count {
  account: string;
  month: number;
  used: number;
}

/** The table of counted recipients, by account and month. Counted in memory and written once per commit. */
export class Quota {
  readonly #find: StatementSync;
  readonly #write: StatementSync;
  readonly #counts = new Map<string, Count>();
  readonly #changed = new Set<Count>();

  constructor(database: DatabaseSync) {
    this.#find = database.prepare("SELECT used FROM quota WHERE account = ? AND month = ?");
    this.#write = database.prepare(
      "INSERT INTO quota VALUES (?, ?, ?) ON CONFLICT (account, month) DO UPDATE SET used = excluded.used",
    );
  }

  used(account: string, time: number): number {
    return this.#count(account, time).used;
  }

  /** @returns the recipients counted in that month */
  add(account: string, time: number, recipients: number): number {
    const count = this.#count(account, time);
    if (recipients === 0) return count.used;
    count.used += recipients;
    this.#changed.add(count);
    return count.used;
  }

  writeChanged(): void {
    for (const { account, month, used } of this.#changed) this.#write.run(account, month, used);
    this.#changed.clear();
  }

  /** Drops what was not committed. */
  reload(): void {
    this.#counts.clear();
    this.#changed.clear();
  }

  #count(account: string, time: number): Count {
    const month = monthOf(time);
    const name = `${month} ${account}`;
    let count = this.#counts.get(name);
    if (count === undefined) {
      count = { account, month, used: Number(this.#find.get(account, month)?.used ?? 0) };
      this.#counts.set(name, count);
    }
    return count;
  }
}
