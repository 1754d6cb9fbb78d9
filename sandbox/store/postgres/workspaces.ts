import type { Database, Statement } from "./database.ts";

/** The workspace that exists from the start. */
export const defaultWorkspace = "default";

export interface Workspace {
  name: string;
  /** JSON; null for the demo data. */
  seed: string | null;
  /** In milliseconds since 1970, by the real clock; null for never. */
  expiresAt: number | null;
}

const columns = 'name, seed, expires_at AS "expiresAt"';

/** Removes workspaces and ends their epochs. */
const removal = (name: string, condition: string): Statement => ({
  name,
  text: `WITH removed AS (DELETE FROM workspace WHERE ${condition} RETURNING name, epoch),
    ended AS (UPDATE epoch SET ended_at = now() FROM removed WHERE epoch.epoch = removed.epoch)
    SELECT name FROM removed`,
});

const statements = {
  create: {
    name: "create_workspace",
    text: `WITH first AS (INSERT INTO epoch DEFAULT VALUES RETURNING epoch)
      INSERT INTO workspace (name, epoch, seed, expires_at) SELECT $1, epoch, $2, $3 FROM first`,
  },
  find: { name: "find_workspace", text: `SELECT ${columns} FROM workspace WHERE name = $1` },
  list: { name: "list_workspaces", text: `SELECT ${columns} FROM workspace ORDER BY name` },
  remove: removal("remove_workspace", "name = $1"),
  removeExpired: removal("remove_expired_workspaces", "expires_at <= $1"),
} as const satisfies Record<string, Statement>;

/** The table of workspaces: isolated worlds in one database. */
export class Workspaces {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The name must be new. */
  async create({ name, seed, expiresAt }: Workspace): Promise<void> {
    await this.#database.query(statements.create, [name, seed, expiresAt]);
  }

  async find(name: string): Promise<Workspace | undefined> {
    return (await this.#database.query<Workspace>(statements.find, [name]))[0];
  }

  list(): Promise<Workspace[]> {
    return this.#database.query<Workspace>(statements.list, []);
  }

  /** @returns false if it does not exist */
  async remove(name: string): Promise<boolean> {
    return (await this.#database.query(statements.remove, [name])).length > 0;
  }

  /** Removes those that have expired by `now`. @returns their names */
  async removeExpired(now: number): Promise<string[]> {
    const rows = await this.#database.query<{ name: string }>(statements.removeExpired, [now]);
    return rows.map(({ name }) => name);
  }
}
