import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Store } from "../../../sandbox/domain/store.ts";
import { MemoryStore } from "../../../sandbox/store/memory/store.ts";
import { openSqlite } from "../../../sandbox/store/sqlite/store.ts";
import { numberIn } from "./numbers.ts";
import { openedPostgres } from "./postgres/cluster.ts";

/** A folder that goes when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store in memory, or on SQLite in a folder, that is closed when the test is over. */
export function opened(folder?: string): Store {
  const store = folder === undefined ? new MemoryStore() : openSqlite({ folder, numberIn });
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

/** What every store does is tested with each of them. */
export const stores: { name: string; open(): Promise<Store> }[] = [
  { name: "memory", open: async () => opened() },
  { name: "sqlite", open: async () => opened(temporaryFolder()) },
  { name: "postgres", open: openedPostgres },
];
