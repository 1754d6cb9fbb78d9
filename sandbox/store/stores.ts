import type { Store } from "../domain/store.ts";

/** Where the store of a sandbox is. */
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

/** Begins the name of the option that stands for one account of the seed. */
export const accountOption = "account ";

/** The name of the sandbox's own store. */
export const ownStore = "own";
