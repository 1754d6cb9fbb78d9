import { inTime } from "../check.ts";
import type { Stores } from "../stores.ts";
import type { Waiting } from "./connect.ts";
import { Database } from "./database.ts";
import { parseDatabaseUrl } from "./database-url.ts";
import { deleteEndedEpochs } from "./ended-epochs.ts";
import { agree } from "./instances.ts";
import { migrate } from "./migrate.ts";
import { Signals } from "./signals.ts";
import { createStore } from "./store.ts";
import { createWorkspace, hasWorkspace, removeWorkspace } from "./workspaces.ts";

/** How often to delete rows of epochs that have ended, in milliseconds. */
const cleaningInterval = 10_000;

/**
 * Opens a database, for one of several instances. A store is a workspace in it.
 *
 * @param data the URL, such as postgres://user@host:5432/database; what it lacks comes from the usual variables, such as PGPASSWORD
 * @param waiting `onError` also gets errors of work in the background
 * @throws UserError when the database cannot be used
 */
export async function openPostgres(data: string, waiting: Waiting = {}): Promise<Stores> {
  const { url, shown } = parseDatabaseUrl(data);
  await migrate({ url, shown }, waiting);
  const database = new Database(url);
  const { onError = () => {} } = waiting;
  const signals = new Signals(database, url, onError);
  const stopCleaning = startCleaning(database, onError);
  return {
    shown,
    agree: (options) => signals.onConnect((client) => agree(client, options, shown)),
    async open(workspace) {
      await createWorkspace(database, workspace);
      return createStore({ database, signals, workspace });
    },
    has: (name) => inTime(hasWorkspace(database, name)),
    remove: (name) => removeWorkspace(database, name),
    async close() {
      await stopCleaning();
      await signals.close();
      await database.close();
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
