import type { DatabaseAddress } from "./address.ts";
import { readAddress } from "./address.ts";
import { Database } from "./database.ts";
import { deleteEndedEpochs } from "./ended-epochs.ts";
import { migrate } from "./migrate.ts";
import { Signals } from "./signals.ts";
import { createStore, type PostgresStore } from "./store.ts";
import { defaultWorkspace, Workspaces } from "./workspaces.ts";

export interface PostgresOptions {
  /** postgres://user@host:port/database; what it lacks comes from the usual variables, such as PGPASSWORD and PGSSLMODE. */
  url: string;
  /** Gets errors of work in the background. */
  onError?: (error: unknown) => void;
}

/** A PostgreSQL database, for one of several instances. */
export interface PostgresDatabase {
  /** The URL for people, without a password. */
  readonly shown: string;
  readonly workspaces: Workspaces;
  /** Opens the store of a workspace. */
  store(workspace?: string): Promise<PostgresStore>;
  /** Closes the connections, once what uses them has ended. */
  close(): Promise<void>;
}

/** How often to delete rows of epochs that have ended, in milliseconds. */
const cleaningInterval = 10_000;

/** @throws UserError if the database cannot be used */
export async function openDatabase({ url, onError }: PostgresOptions): Promise<PostgresDatabase> {
  const address: DatabaseAddress = readAddress(url);
  await migrate(address);
  const database = new Database(url);
  const signals = new Signals(database, url);
  let open = true;
  let cleaned: Promise<void> | undefined;
  const clean = (): void => {
    cleaned ??= deleteEndedEpochs(database, () => open)
      .catch((error) => onError?.(error))
      .finally(() => {
        cleaned = undefined;
      });
  };
  const cleaning = setInterval(clean, cleaningInterval).unref();
  return {
    shown: address.shown,
    workspaces: new Workspaces(database),
    store: (workspace = defaultWorkspace) => createStore({ database, signals, workspace }),
    async close() {
      open = false;
      clearInterval(cleaning);
      await cleaned;
      await signals.close();
      await database.close();
    },
  };
}
