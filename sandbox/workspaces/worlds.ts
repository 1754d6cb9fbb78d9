import { ClosedError } from "../domain/closed.ts";
import type { Store } from "../domain/store.ts";
import type { RequestHandler } from "../http/handler.ts";
import type { Seed } from "../seed/seed.ts";
import type { Stores } from "../store/stores.ts";

/** What a workspace needs of its world. */
export interface World {
  readonly gateway: RequestHandler;
  /** Lets delayed requests get their responses now. */
  stop(): void;
  close(): Promise<void>;
}

/** How a workspace differs from the sandbox. Serializable as JSON. */
export interface WorkspaceOptions {
  seed?: Seed;
  clock?: { frozen?: boolean; startAt?: number };
  requestsPerMinute?: number;
}

/** Opens the world of a workspace on its store. @param settings further settings of the store, which a reset keeps */
export type OpenWorld = (
  options: Omit<WorkspaceOptions, "seed">,
  parts: { seed: Seed; store: Store; settings: Readonly<Record<string, string>> },
) => Promise<World>;

export interface WorldsOptions {
  stores: Stores;
  /** The seed of a workspace that brings none. */
  seed: Seed;
  openWorld: OpenWorld;
}

/** The setting with the options that a workspace was created with. */
const optionsSetting = "workspace";

const storeOf = (id: string): string => `workspace-${id}`;

/** The worlds of workspaces that this instance has open. */
export class Worlds {
  readonly #options: WorldsOptions;
  readonly #worlds = new Map<string, Promise<World>>();

  constructor(options: WorldsOptions) {
    this.#options = options;
  }

  get ids(): string[] {
    return [...this.#worlds.keys()];
  }

  /** @param options of a workspace that is created */
  open(id: string, options?: WorkspaceOptions): Promise<World> {
    const known = this.#worlds.get(id);
    if (known !== undefined) return known;
    const opening = this.#open(id, options);
    this.#worlds.set(id, opening);
    opening.catch(() => {
      // It may have been closed, and opened again.
      if (this.#worlds.get(id) === opening) this.#worlds.delete(id);
    });
    return opening;
  }

  async close(id: string): Promise<void> {
    const opened = this.#worlds.get(id);
    this.#worlds.delete(id);
    await (await opened)?.close();
  }

  /** Closes it, and deletes its data. */
  async remove(id: string): Promise<void> {
    await this.close(id);
    await this.#options.stores.remove(storeOf(id));
  }

  /** Lets delayed requests get their responses now. */
  async stop(): Promise<void> {
    for (const world of await Promise.allSettled(this.#worlds.values()))
      if (world.status === "fulfilled") world.value.stop();
  }

  async #open(id: string, given?: WorkspaceOptions): Promise<World> {
    const { stores, openWorld, seed: usual } = this.#options;
    const name = storeOf(id);
    // Removed since it was looked up, perhaps by another instance.
    if (given === undefined && !(await stores.has(name))) throw new ClosedError();
    const store = await stores.open(name);
    try {
      await store.refresh();
      const text = given === undefined ? (store.setting(optionsSetting) ?? "{}") : JSON.stringify(given);
      const { seed = usual, ...options }: WorkspaceOptions = JSON.parse(text);
      return await openWorld(options, { store, seed, settings: { [optionsSetting]: text } });
    } catch (error) {
      await store.close();
      throw error;
    }
  }
}
