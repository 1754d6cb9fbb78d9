import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * A new folder, which is deleted when the test is over.
 *
 * @param whenOver `afterAll` for a folder of all tests of a file or a group
 */
export function temporaryFolder(whenOver: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "test-"));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
