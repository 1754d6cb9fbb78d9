import { UserError } from "../../lib/user-error.ts";
import { isPostgres } from "./data-location.ts";
import { MemoryStore } from "./memory/store.ts";
import type { Stores } from "./stores.ts";

const inMemory = (mebibytes?: number): Stores => ({
  shown: null,
  agree: async () => {},
  open: async () => new MemoryStore(mebibytes),
  has: async () => false,
  remove: async () => {},
  close: async () => {},
});

interface StoresOptions {
  /** The folder of SQLite databases, or the URL of a PostgreSQL database; default: in memory. */
  data?: string;
  /** How much a store in memory keeps, in mebibytes. */
  memory?: number;
  /** Gets errors of work in the background. */
  onError?: (error: unknown) => void;
}

/**
 * Checks what can be checked before the port is opened: a typing error is reported even if the port is in use.
 *
 * @throws UserError when the location is invalid
 */
export async function checkLocation({ data, memory }: StoresOptions): Promise<void> {
  if (data === undefined) return checkMemory(memory);
  if (memory !== undefined)
    throw new UserError("memory and data cannot be given together", {
      hint: "Leave one out: memory bounds a store in memory, and data keeps everything for 30 days.",
      exitCode: 2,
    });
  if (isPostgres(data)) {
    (await import("./postgres/database-url.ts")).parseDatabaseUrl(data);
    return;
  }
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(data) ?? [];
  // Its URL may have a password: it is neither shown nor the name of a folder.
  if (scheme !== undefined)
    throw new UserError(`--data cannot be a URL with the scheme ${scheme}`, {
      hint: "Use a folder or postgres://user@host/database.",
      exitCode: 2,
    });
  if (/\/\/.*@/.test(data))
    throw new UserError("--data looks like the URL of a database, but has no scheme", {
      hint: "Use postgres://user@host/database, or a folder whose name has no @ after //.",
      exitCode: 2,
    });
}

function checkMemory(mebibytes?: number): void {
  if (mebibytes !== undefined && !(mebibytes > 0))
    throw new UserError(`memory must be a positive number of MiB (got ${mebibytes})`, { exitCode: 2 });
}

/**
 * Opens the location of the stores of a sandbox.
 *
 * @throws UserError when it cannot be used
 */
export async function openStores(options: StoresOptions = {}): Promise<Stores> {
  await checkLocation(options);
  const { data, memory, onError } = options;
  if (data === undefined) return inMemory(memory);
  // Loaded on demand: most sandboxes are in memory, and start faster without.
  if (isPostgres(data)) {
    const { openPostgres } = await import("./postgres/open.ts");
    return openPostgres(data, { ...(onError && { onError }) });
  }
  const { openFolder } = await import("./sqlite/folder.ts");
  return openFolder(data);
}
