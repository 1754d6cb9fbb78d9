import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ownStore, type Stores } from "../stores.ts";
import { openSqlite } from "./store.ts";

/** A folder with the database of the sandbox, and those of its workspaces in folders of their own. */
export function openFolder(folder: string): Stores {
  const folderOf = (name: string): string => {
    // A name is a part of a path that `remove` deletes.
    if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`${name} is no name of a store`);
    return name === ownStore ? folder : join(folder, "workspaces", name);
  };
  return {
    shown: folder,
    // No other process has the folder open.
    agree: async () => {},
    open: async (name) => openSqlite({ folder: folderOf(name) }),
    has: async (name) => existsSync(folderOf(name)),
    remove: async (name) => rm(folderOf(name), { recursive: true, force: true }),
    close: async () => {},
  };
}
