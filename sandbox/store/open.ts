import { assertFolder } from "../../lib/files.ts";
import { usageError } from "../../lib/user-error.ts";
import type { Store } from "../domain/store.ts";
import type { SandboxOptions } from "../service.ts";
import { MemoryStore } from "./memory.ts";

type StoreOptions = Pick<SandboxOptions, "data" | "memory" | "outbox" | "onError">;

/** Whether `--data` names a PostgreSQL database rather than a folder. */
export const isPostgres = (data: string): boolean => /^postgres(ql)?:/i.test(data);

/** @throws UserError when the location is invalid */
async function checkLocation({ data, memory, outbox }: StoreOptions): Promise<void> {
  if (data === undefined) {
    if (memory === undefined || memory > 0) return;
    throw usageError(`memory must be a positive number of MiB (got ${memory})`);
  }
  if (memory !== undefined)
    throw usageError(
      "memory and data cannot be given together",
      "Leave one out: memory bounds a store in memory, and data keeps everything for 30 days.",
    );
  if (isPostgres(data)) {
    (await import("./sql/postgres-url.ts")).parseDatabaseUrl(data);
    if (outbox === undefined) return;
    throw usageError(
      `mail of a PostgreSQL database is not written to an outbox folder (got "${outbox}")`,
      "Each instance would write only a part of it. Read it with GET /sandbox/outbox, or keep the data in a folder.",
    );
  }
  assertFolder("--data", data, "Use a folder, or postgres://user@host/database.");
}

/**
 * Opens the store of a sandbox. `shown` says where it is, for people: a folder, or a URL without a password; null in memory.
 * @throws UserError when its location cannot be used
 */
export async function openStore(options: StoreOptions = {}): Promise<{ store: Store; shown: string | null }> {
  await checkLocation(options);
  const { data, memory, onError = () => {} } = options;
  if (data === undefined) return { store: new MemoryStore(memory), shown: null };
  // Loaded on demand: most sandboxes are in memory, and start faster without.
  const { SqlStore } = await import("./sql/store.ts");
  if (!isPostgres(data)) {
    const { openSqlite } = await import("./sql/sqlite.ts");
    return { store: new SqlStore(await openSqlite(data), onError), shown: data };
  }
  const { openPostgres } = await import("./sql/postgres.ts");
  const { database, shown } = await openPostgres(data, { onError });
  return { store: new SqlStore(database, onError), shown };
}
