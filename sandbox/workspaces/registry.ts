import type { Store } from "../domain/store.ts";
import type { Stores } from "../store/stores.ts";

/** A workspace as the registry knows it. Times are in milliseconds, by the real clock. */
export interface WorkspaceEntry {
  /** Random: who knows it may use the workspace. */
  id: string;
  /** For people: whose it is. */
  label?: string;
  createdAt: number;
  expiresAt: number;
  /** Whether its store is still being filled: nobody knows of it yet. */
  opening?: boolean;
}

/** How long an instance may take to open a workspace, in milliseconds: longer, and it was killed. */
const openingTime = 60_000;

/** Whether its data may be deleted. */
export const isOver = (
  { createdAt, expiresAt, opening = false }: WorkspaceEntry,
  now = Date.now(),
): boolean => expiresAt <= now || (opening && createdAt <= now - openingTime);

/** The registry as it was read. */
interface Read {
  text: string | undefined;
  entries: readonly WorkspaceEntry[];
}

const none: Read = { text: undefined, entries: [] };

const isUsable = ({ expiresAt, opening = false }: WorkspaceEntry): boolean =>
  expiresAt > Date.now() && !opening;

/** The name of its store. */
const storeName = "registry";

const setting = "workspaces";

/** The workspaces of a sandbox, known to all its instances: a setting in a store of its own. */
export class Registry {
  readonly #stores: Stores;
  #store: Promise<Store> | undefined;
  #last: Read | undefined;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** All that may be used. */
  async list(): Promise<WorkspaceEntry[]> {
    return (await this.all()).filter(isUsable);
  }

  /** With those that are being opened, and those that are over. */
  async all(): Promise<readonly WorkspaceEntry[]> {
    // Most sandboxes have no workspaces, and need no store for them.
    const isThere = this.#store !== undefined || (await this.#stores.has(storeName));
    this.#last ??= none;
    if (!isThere) return [];
    const store = await this.#open();
    await store.refresh();
    return this.#read(store.setting(setting));
  }

  /** How many could be used when they were read last; undefined before. */
  get known(): number | undefined {
    return this.#last?.entries.filter(isUsable).length;
  }

  /** Adds a workspace that is being opened, unless there are `most`. @returns whether it was added */
  async add(entry: WorkspaceEntry, most: number): Promise<boolean> {
    return this.#change((entries) => {
      const isAdded = entries.length < most;
      return { entries: isAdded ? [...entries, { ...entry, opening: true }] : entries, result: isAdded };
    });
  }

  /** Lets everyone use a workspace. @returns false if it took too long, so that another instance has removed it */
  opened(id: string): Promise<boolean> {
    return this.#change((entries) => ({
      entries: entries.map((entry) => (entry.id === id ? { ...entry, opening: false } : entry)),
      result: entries.some((entry) => entry.id === id && !isOver(entry)),
    }));
  }

  /** Makes a workspace expire now. @returns false if there is none, or not any more */
  async expire(id: string): Promise<boolean> {
    if (!(await this.list()).some((entry) => entry.id === id)) return false;
    return this.#change((entries) => ({
      entries: entries.map((entry) => (entry.id === id ? { ...entry, expiresAt: 0 } : entry)),
      result: entries.some((entry) => entry.id === id && isUsable(entry)),
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
    const store = await this.#open();
    const changed = await store.changeSetting(setting, (text) => {
      const { entries, result } = change(this.#read(text));
      return { value: JSON.stringify(entries), result };
    });
    this.#read(store.setting(setting));
    return changed;
  }

  /** Parses the setting once after each change: every request to a workspace reads it. */
  #read(text: string | undefined): readonly WorkspaceEntry[] {
    const last = this.#last ?? none;
    this.#last = last.text === text ? last : { text, entries: text === undefined ? [] : JSON.parse(text) };
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
