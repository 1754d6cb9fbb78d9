import type { Store } from "../domain/store.ts";
import { MemoryStore } from "./memory/store.ts";

/**
 * Opens the store of a sandbox.
 *
 * @param data the folder of an SQLite database; default: in memory
 * @throws UserError when it cannot be used
 */
export async function openStore(data?: string): Promise<Store> {
  if (data === undefined) return new MemoryStore();
  // Loaded on demand: most sandboxes are in memory, and start faster without.
  const { openSqlite } = await import("./sqlite/store.ts");
  return openSqlite({ folder: data });
}
