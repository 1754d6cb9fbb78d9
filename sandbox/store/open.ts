import { UserError } from "../../lib/user-error.ts";
import { isPostgres } from "./data-location.ts";
import { MemoryStore } from "./memory/store.ts";
import type { Stores } from "./stores.ts";

function inMemory(mebibytes?: number): Stores {
  if (mebibytes !== undefined && !(mebibytes > 0))
    throw new UserError(`memory must be a positive number of MiB (got ${mebibytes})`, { exitCode: 2 });
  return {
    shown: null,
    agree: async () => {},
    open: async () => new MemoryStore(mebibytes),
    has: async () => false,
    remove: async () => {},
    close: async () => {},
  };
}

interface StoresOptions {
  /** The folder of SQLite databases, or the URL of a PostgreSQL database; default: in memory. */
  data?: string;
  /** How much a store in memory keeps, in mebibytes. */
  memory?: number;
  /** Gets errors of work in the background. */
  onError?: (error: unknown) => void;
}

/**
 * Opens the place that the stores of a sandbox are in.
 *
 * @throws UserError when it cannot be used
 */
export async function openStores({ data, memory, onError }: StoresOptions = {}): Promise<Stores> {
  if (data === undefined) return inMemory(memory);
  if (memory !== undefined)
    throw new UserError("memory and data cannot be given together", {
      hint: "Leave one out: memory bounds a store in memory, and data keeps everything for 30 days.",
      exitCode: 2,
    });
  // Loaded on demand: most sandboxes are in memory, and start faster without.
  if (isPostgres(data)) {
    const { openPostgres } = await import("./postgres/open.ts");
    return openPostgres(data, { ...(onError && { onError }) });
  }
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(data) ?? [];
  // Its URL may have a password: it is neither shown nor the name of a folder.
  if (scheme !== undefined)
    throw new UserError(`--data cannot be a URL with the scheme ${scheme}`, {
      hint: "Use a folder, postgres://user@host/database or postgres:embedded.",
      exitCode: 2,
    });
  const { openFolder } = await import("./sqlite/folder.ts");
  return openFolder(data);
}
