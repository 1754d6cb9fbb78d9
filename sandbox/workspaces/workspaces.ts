import { randomBytes } from "node:crypto";
import { ClosedError } from "../domain/closed.ts";
import type { Seed } from "../seed/seed.ts";
import { isOver, Registry, type WorkspaceEntry } from "./registry.ts";
import { type WorkspaceOptions, type World, Worlds, type WorldsOptions } from "./worlds.ts";

export interface WorkspacesOptions extends WorldsOptions {
  onError?: (error: unknown) => void;
}

/** How many workspaces there may be at a time. */
export const mostWorkspaces = 500;

/** What an id may be: nothing else of a URL gets into the links of a page. */
const idPattern = /^[0-9a-f]{20}$/;

/** How often expired workspaces are removed, and those of other instances opened, in milliseconds. */
const sweepInterval = 5_000;

/** Isolated worlds on one sandbox, each with its own accounts, clock, mail and failures, until it expires. */
export class Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #registry: Registry;
  readonly #worlds: Worlds;
  #sweeping: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WorkspacesOptions) {
    this.#options = options;
    this.#registry = new Registry(options.stores);
    this.#worlds = new Worlds(options);
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
    { label, ...options }: WorkspaceOptions & Pick<WorkspaceEntry, "label"> = {},
  ): Promise<{ entry: WorkspaceEntry; seed: Seed } | undefined> {
    const createdAt = Date.now();
    const entry = {
      ...{ id: randomBytes(10).toString("hex"), createdAt, ...(label !== undefined && { label }) },
      expiresAt: createdAt + lifetimeMilliseconds,
    };
    if (this.#closed) throw new ClosedError();
    if (!(await this.#registry.add(entry, mostWorkspaces))) return undefined;
    try {
      await this.#worlds.open(entry.id, options);
      // From now on all instances open it: before, they would open it without its options.
      if (!(await this.#registry.opened(entry.id))) throw new Error("opening the workspace took too long");
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
    if (!idPattern.test(id)) return undefined;
    const entries = await this.#registry.list();
    const entry = entries.find((one) => one.id === id);
    if (entry !== undefined) return { entry, world: await this.#worlds.open(id) };
    await this.#worlds.close(id);
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
    // Before the removals, which take a while: a workspace that is created meanwhile is not in what was read.
    for (const id of this.#worlds.ids) if (!ids.has(id)) await this.#report(this.#worlds.close(id));
    for (const { id } of all) if (!ids.has(id)) await this.#report(this.#drop(id));
    for (const { id, opening } of live)
      if (!opening && !this.#closed) await this.#report(this.#worlds.open(id));
  }

  /** Lets delayed requests get their responses now. */
  async stop(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeping);
    await this.#worlds.stop();
  }

  async close(): Promise<void> {
    await Promise.all(this.#worlds.ids.map((id) => this.#worlds.close(id)));
    await this.#registry.close();
  }

  /** Known until its data is gone: after a crash the next sweep goes on. */
  async #drop(id: string): Promise<void> {
    await this.#worlds.remove(id);
    await this.#registry.remove(id);
  }

  /** One workspace that fails does not stop the others. */
  async #report(work: Promise<unknown>): Promise<void> {
    await work.catch((error) => this.#options.onError?.(error));
  }
}
