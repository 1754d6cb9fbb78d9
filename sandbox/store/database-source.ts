import type { DatabaseSync } from "node:sqlite";
import type { Beginning } from "./schema.ts";

/** Where the database of a store is. */
export interface DatabaseSource {
  /** The database as it was found, with its tables. */
  readonly database: DatabaseSync;
  /** Whether what is written survives the process. */
  readonly lasting: boolean;
  /**
   * Puts a new database with nothing but these settings in the place of the one there is, for good when it returns; after a crash on the way it is either
   * of them. The old one is let go of afterwards.
   */
  renew(settings: Beginning): DatabaseSync;
  /** Lets go of everything but the database, which has to be closed. */
  close(): Promise<void>;
}

/** How long a database that was replaced waits to be let go of, in milliseconds: that takes a while if it is big, and nobody is to wait for it. */
export const rest = 500;
