import { embedded } from "../data-location.ts";
import type { Stores } from "../stores.ts";
import { readAddress } from "./address.ts";
import { Database } from "./database.ts";
import type { EmbeddedPostgres } from "./embedded.ts";
import { deleteEndedEpochs } from "./ended-epochs.ts";
import { migrate } from "./migrate.ts";
import { Signals } from "./signals.ts";
import { createStore, type PostgresStore } from "./store.ts";
import { createWorkspace, hasWorkspace, removeWorkspace } from "./workspaces.ts";

/** How often to delete rows of epochs that have ended, in milliseconds. */
const cleaningInterval = 10_000;

export interface PostgresStores extends Stores {
  /** The URL of the database for people, without a password. */
  readonly shown: string;
  open(name: string): Promise<PostgresStore>;
}

/**
 * Opens a database, for one of several instances. A store is a workspace in it.
 *
 * @param data the URL, such as postgres://user@host:5432/database; what it lacks comes from the usual variables, such as PGPASSWORD. Or
 * `postgres:embedded` for a temporary database, at PGPORT with PGPASSWORD if they are set
 * @param onError gets errors of work in the background
 * @throws UserError when the database cannot be used
 */
export async function openPostgres(
  data: string,
  onError: (error: unknown) => void = () => {},
): Promise<PostgresStores> {
  if (data !== embedded) return openDatabase(data, onError);
  // Loaded on demand: an optional package.
  const { startEmbedded } = await import("./embedded.ts");
  // With them, a second instance can use this database too.
  const { PGPORT: port = "", PGPASSWORD: password = "" } = process.env;
  const server = await startEmbedded({
    ...(port !== "" && { port: Number(port) }),
    ...(password !== "" && { password }),
  });
  return openDatabase(server.url, onError, server).catch(async (error) => {
    await server.close();
    throw error;
  });
}

async function openDatabase(
  url: string,
  onError: (error: unknown) => void,
  server?: EmbeddedPostgres,
): Promise<PostgresStores> {
  const address = readAddress(url);
  await migrate(address);
  const database = new Database(url);
  const signals = new Signals(database, url);
  const stopCleaning = startCleaning(database, onError);
  return {
    shown: address.shown,
    async open(workspace) {
      await createWorkspace(database, workspace);
      return createStore({ database, signals, workspace });
    },
    has: (name) => hasWorkspace(database, name),
    remove: (name) => removeWorkspace(database, name),
    async close() {
      await stopCleaning();
      await signals.close();
      await database.close();
      await server?.close();
    },
  };
}

/** Deletes rows of ended epochs from time to time. @returns what ends that */
function startCleaning(database: Database, onError: (error: unknown) => void): () => Promise<void> {
  let wanted = true;
  let cleaning: Promise<void> | undefined;
  const timer = setInterval(() => {
    cleaning ??= deleteEndedEpochs(database, () => wanted)
      .catch(onError)
      .finally(() => {
        cleaning = undefined;
      });
  }, cleaningInterval).unref();
  return async () => {
    wanted = false;
    clearInterval(timer);
    await cleaning;
  };
}
