import type { Database, Statement } from "./database.ts";

const statements = {
  lock: {
    name: "lock_workspace_name",
    text: "SELECT pg_advisory_xact_lock(hashtextextended('workspace ' || $1, 0))::text",
  },
  create: {
    name: "create_workspace",
    text: `WITH first AS (
        INSERT INTO epoch (reserved) SELECT 0 WHERE NOT EXISTS (SELECT FROM workspace WHERE name = $1) RETURNING epoch
      )
      INSERT INTO workspace (name, epoch) SELECT $1, epoch FROM first`,
  },
  find: { name: "find_workspace", text: "SELECT name FROM workspace WHERE name = $1" },
  remove: {
    name: "remove_workspace",
    text: `WITH removed AS (DELETE FROM workspace WHERE name = $1 RETURNING epoch)
      UPDATE epoch SET ended_at = now() FROM removed WHERE epoch.epoch = removed.epoch`,
  },
} as const satisfies Record<string, Statement>;

/** Creates a workspace unless it exists. */
export async function createWorkspace(database: Database, name: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await Promise.all([
      transaction.query(statements.lock, [name]),
      transaction.commit(statements.create, [name]),
    ]);
  });
}

export async function hasWorkspace(database: Database, name: string): Promise<boolean> {
  return (await database.query(statements.find, [name])).length > 0;
}

/** Ends the epoch of a workspace; its rows are deleted later. */
export async function removeWorkspace(database: Database, name: string): Promise<void> {
  await database.query(statements.remove, [name]);
}
