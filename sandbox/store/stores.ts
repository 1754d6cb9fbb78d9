import type { Store } from "../domain/store.ts";

/** The stores of a sandbox: one of its own, and one more for each workspace. */
export interface Stores {
  /** Where they are, for people: a folder, or a URL without a password. Null in memory. */
  readonly shown: string | null;
  /**
   * Compares options with those of other instances, by name.
   *
   * @throws UserError if others run with other options
   */
  agree(options: Readonly<Record<string, string>>): Promise<void>;
  /** Opens a store by its name, or creates it. @param name lower-case letters, digits and hyphens */
  open(name: string): Promise<Store>;
  /** Whether there is a store of this name. */
  has(name: string): Promise<boolean>;
  /** Deletes the data of a store that is closed. */
  remove(name: string): Promise<void>;
  /** Closes what the stores share, once all of them are closed. */
  close(): Promise<void>;
}

/** The name of the sandbox's own store. */
export const ownStore = "own";
