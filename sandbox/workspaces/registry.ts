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

const read = (text: string | undefined): WorkspaceEntry[] => (text === undefined ? [] : JSON.parse(text));

/** The workspaces of a sandbox, known to all its instances: a setting in a store of its own. */
export class Registry {
  readonly #stores: Stores;
  #store: Promise<Store> | undefined;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** All that have not expired by `now`. */
  async list(now = Date.now()): Promise<WorkspaceEntry[]> {
    // Most sandboxes have no workspaces, and need no store for them.
    if (this.#store === undefined && !(await this.#stores.has(storeName))) return [];
    const store = await this.#open();
    await store.refresh();
    return read(store.setting(setting)).filter(({ expiresAt }) => expiresAt > now);
  }

  /** Adds a workspace unless there are `most`. @returns whether it was added */
  async add(entry: WorkspaceEntry, most: number): Promise<boolean> {
    return (await this.#open()).changeSetting(setting, (text) => {
      const entries = read(text);
      if (entries.length >= most) return { value: text, result: false };
      return { value: JSON.stringify([...entries, entry]), result: true };
    });
  }

  /** Removes the workspaces that `isOver` says. @returns their ids, to this caller alone */
  async remove(isOver: (entry: WorkspaceEntry) => boolean): Promise<string[]> {
    if (!(await this.list(0)).some(isOver)) return [];
    return (await this.#open()).changeSetting(setting, (text) => {
      const entries = read(text);
      const kept = entries.filter((entry) => !isOver(entry));
      const gone = entries.filter(isOver).map(({ id }) => id);
      return { value: gone.length === 0 ? text : JSON.stringify(kept), result: gone };
    });
  }

  async close(): Promise<void> {
    await (await this.#store)?.close();
  }

  #open(): Promise<Store> {
    this.#store ??= this.#stores.open(storeName);
    return this.#store;
  }
}
