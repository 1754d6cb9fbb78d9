import type { DatabaseSync } from "node:sqlite";
import type { InitialSettings } from "./schema.ts";

/** Where the database of a store comes from: memory or a folder. */
export interface DatabaseSource {
  /** The database at the start, with its tables. */
  readonly database: DatabaseSync;
  /** Whether the database survives the process. */
  readonly isFile: boolean;
  /**
   * Replaces the database by a new one with only these settings, durably when it returns; a crash before leaves the old or the new one.
   * The old one is closed later.
   */
  renew(settings: InitialSettings): DatabaseSync;
  /** Closes everything but the current database, which must be closed before. */
  close(): Promise<void>;
}

/** How long a replaced database waits before it is closed, in milliseconds: that takes a while if it is big, and a reset must not wait. */
export const closeDelay = 500;
