import type { Store } from "../domain/store.ts";
import type { Stores } from "../store/stores.ts";

/** A workspace as the registry knows it. Times are in milliseconds, by the real clock. */
export interface WorkspaceEntry {
  /** Random: who knows it may use the workspace. */
  id: string;
  createdAt: number;
  expiresAt: number;
}

/** The name of its store. */
const storeName = "registry";

const setting = "workspaces";

/** The workspaces of a sandbox, known to all its instances: a setting in a store of its own. */
export class Registry {
  readonly #stores: Stores;
  #store: Promise<Store> | undefined;
  #last: { text: string | undefined; entries: readonly WorkspaceEntry[] } = { text: undefined, entries: [] };

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** All that have not expired by `now`. */
  async list(now = Date.now()): Promise<WorkspaceEntry[]> {
    // Most sandboxes have no workspaces, and need no store for them.
    if (this.#store === undefined && !(await this.#stores.has(storeName))) return [];
    const store = await this.#open();
    await store.refresh();
    return this.#read(store.setting(setting)).filter(({ expiresAt }) => expiresAt > now);
  }

  /** Adds a workspace unless there are `most`. @returns whether it was added */
  async add(entry: WorkspaceEntry, most: number): Promise<boolean> {
    return this.#change((entries) => {
      const isAdded = entries.length < most;
      return { entries: isAdded ? [...entries, entry] : entries, result: isAdded };
    });
  }

  /** Makes a workspace expire now. @returns false if there is none, or not any more */
  async expire(id: string, now = Date.now()): Promise<boolean> {
    if (!(await this.list(now)).some((entry) => entry.id === id)) return false;
    return this.#change((entries) => ({
      entries: entries.map((entry) => (entry.id === id ? { ...entry, expiresAt: 0 } : entry)),
      result: entries.some((entry) => entry.id === id && entry.expiresAt > now),
    }));
  }

  remove(id: string): Promise<void> {
    return this.#change((entries) => ({
      entries: entries.filter((entry) => entry.id !== id),
      result: undefined,
    }));
  }

  async close(): Promise<void> {
    await (await this.#store)?.close();
  }

  async #change<Result>(
    change: (entries: readonly WorkspaceEntry[]) => { entries: readonly WorkspaceEntry[]; result: Result },
  ): Promise<Result> {
    return (await this.#open()).changeSetting(setting, (text) => {
      const { entries, result } = change(this.#read(text));
      return { value: JSON.stringify(entries), result };
    });
  }

  /** Parses the setting once after each change: every request to a workspace reads it. */
  #read(text: string | undefined): readonly WorkspaceEntry[] {
    if (text !== this.#last.text) this.#last = { text, entries: text === undefined ? [] : JSON.parse(text) };
    return this.#last.entries;
  }

  #open(): Promise<Store> {
    this.#store ??= this.#stores.open(storeName).catch((error) => {
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }
}
