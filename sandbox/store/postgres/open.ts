import type { EmbeddedPostgres } from "./embedded.ts";
import { openDatabase } from "./postgres.ts";
import type { PostgresStore } from "./store.ts";

/** Whether `--data` names a PostgreSQL database rather than a folder. */
export const isPostgres = (data: string): boolean => /^postgres(ql)?:/.test(data);

/** What starts a server of its own. */
const embedded = "postgres:embedded";

export interface OpenedPostgres {
  store: PostgresStore;
  /** The URL for people, without a password. */
  shown: string;
}

/**
 * Opens the default workspace of a database. Closing the store closes the database.
 *
 * @param data the URL of a database, or `postgres:embedded` for a temporary one
 * @throws UserError when it cannot be used
 */
export async function openPostgres(
  data: string,
  onError?: (error: unknown) => void,
): Promise<OpenedPostgres> {
  // Loaded on demand: an optional package.
  const server =
    data === embedded ? await import("./embedded.ts").then((own) => own.startEmbedded()) : undefined;
  try {
    return await openDefault(data, server, onError);
  } catch (error) {
    await server?.close();
    throw error;
  }
}

async function openDefault(
  data: string,
  server: EmbeddedPostgres | undefined,
  onError: ((error: unknown) => void) | undefined,
): Promise<OpenedPostgres> {
  const database = await openDatabase({
    url: server?.url ?? data,
    ...(onError === undefined ? {} : { onError }),
  });
  const store = await database.store();
  const { close } = store;
  store.close = async () => {
    await close();
    await database.close();
    await server?.close();
  };
  return { store, shown: database.shown };
}
