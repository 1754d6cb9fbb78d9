import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Store } from "../../../sandbox/domain/store.ts";
import { openStore } from "../../../sandbox/store/sqlite.ts";
import { numberIn } from "./numbers.ts";

/** A folder that goes when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store that is closed when the test is over. */
export function opened(folder?: string): Store {
  const store = openStore(folder === undefined ? { numberIn } : { folder, numberIn });
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}
