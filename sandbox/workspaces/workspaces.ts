import { randomBytes } from "node:crypto";
import { ClosedError } from "../domain/closed.ts";
import type { Store } from "../domain/store.ts";
import type { RequestHandler } from "../http/handler.ts";
import type { Seed } from "../seed/seed.ts";
import type { Stores } from "../store/stores.ts";
import { isOver, Registry, type WorkspaceEntry } from "./registry.ts";

/** What a workspace needs of its world. */
export interface World {
  readonly gateway: RequestHandler;
  /** Lets delayed requests get their responses now. */
  end(): void;
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

export interface WorkspacesOptions {
  stores: Stores;
  /** The seed of a workspace that brings none. */
  seed: Seed;
  openWorld: OpenWorld;
  onError?: (error: unknown) => void;
}

/** How many workspaces there may be at a time. */
export const mostWorkspaces = 500;

/** How often expired workspaces are removed, and those of other instances opened, in milliseconds. */
const sweepInterval = 5_000;

/** The setting with the options that a workspace was created with. */
const optionsSetting = "workspace";

const storeOf = (id: string): string => `workspace-${id}`;

/** Isolated worlds on one sandbox, each with its own accounts, clock, mail and failures, until it expires. */
export class Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #registry: Registry;
  readonly #worlds = new Map<string, Promise<World>>();
  #sweeping: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WorkspacesOptions) {
    this.#options = options;
    this.#registry = new Registry(options.stores);
  }

  /** From now on, workspaces expire, and the mail of all of them is sent when it is due. */
  start(): void {
    const sweep = (): void => void this.#report(this.sweep());
    this.#sweeping = setInterval(sweep, sweepInterval).unref();
    sweep();
  }

  /** @returns undefined if there are too many */
  async create(
    lifetimeMilliseconds: number,
    options: WorkspaceOptions = {},
  ): Promise<{ entry: WorkspaceEntry; seed: Seed } | undefined> {
    const createdAt = Date.now();
    const entry = {
      ...{ id: randomBytes(10).toString("hex"), createdAt },
      expiresAt: createdAt + lifetimeMilliseconds,
    };
    if (this.#closed) throw new ClosedError();
    if (!(await this.#registry.add(entry, mostWorkspaces))) return undefined;
    try {
      await this.#world(entry.id, options);
      // From now on all instances open it: before, they would open it without its options.
      await this.#registry.opened(entry.id);
    } catch (error) {
      await this.#report(this.#drop(entry.id));
      throw error;
    }
    return { entry, seed: options.seed ?? this.#options.seed };
  }

  list(): Promise<WorkspaceEntry[]> {
    return this.#registry.list();
  }

  /** How many there were when they were read last, on all instances; undefined before. */
  get known(): number | undefined {
    return this.#registry.known;
  }

  /** A workspace with its world; undefined if there is none, or not any more. */
  async find(id: string): Promise<{ entry: WorkspaceEntry; world: World } | undefined> {
    if (this.#closed) throw new ClosedError();
    const entries = await this.#registry.list();
    const entry = entries.find((one) => one.id === id);
    if (entry !== undefined) return { entry, world: await this.#world(id) };
    await this.#closeWorld(id);
    return undefined;
  }

  /** @returns false if there is no such workspace */
  async remove(id: string): Promise<boolean> {
    const expired = await this.#registry.expire(id);
    if (expired) await this.#drop(id);
    return expired;
  }

  /** Removes expired workspaces, closes what other instances have removed, and opens what they have created: its mail may be due. */
  async sweep(): Promise<void> {
    const all = await this.#registry.all();
    const live = all.filter((entry) => !isOver(entry));
    const ids = new Set(live.map(({ id }) => id));
    for (const { id } of all) if (!ids.has(id)) await this.#report(this.#drop(id));
    for (const id of this.#worlds.keys()) if (!ids.has(id)) await this.#report(this.#closeWorld(id));
    for (const { id, opening } of live) if (!opening && !this.#closed) await this.#report(this.#world(id));
  }

  /** Lets delayed requests get their responses now. */
  async end(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeping);
    for (const world of await Promise.allSettled(this.#worlds.values()))
      if (world.status === "fulfilled") world.value.end();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#worlds.keys()].map((id) => this.#closeWorld(id)));
    await this.#registry.close();
  }

  #world(id: string, options?: WorkspaceOptions): Promise<World> {
    const known = this.#worlds.get(id);
    if (known !== undefined) return known;
    const opening = this.#openWorld(id, options);
    this.#worlds.set(id, opening);
    opening.catch(() => this.#worlds.delete(id));
    return opening;
  }

  async #openWorld(id: string, given?: WorkspaceOptions): Promise<World> {
    const { stores, openWorld, seed: usual } = this.#options;
    const name = storeOf(id);
    if (given === undefined && !(await stores.has(name))) throw new Error(`the workspace ${id} has no store`);
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

  async #closeWorld(id: string): Promise<void> {
    const opened = this.#worlds.get(id);
    this.#worlds.delete(id);
    await (await opened)?.close();
  }

  /** Known until its data is gone: after a crash the next sweep goes on. */
  async #drop(id: string): Promise<void> {
    await this.#closeWorld(id);
    await this.#options.stores.remove(storeOf(id));
    await this.#registry.remove(id);
  }

  /** One workspace that fails does not stop the others. */
  async #report(work: Promise<unknown>): Promise<void> {
    await work.catch((error) => this.#options.onError?.(error));
  }
}
