import { join } from "node:path";
import { defineConfig } from "vitest/config";

// `npm run test:thorough`: whole runs of the suite in a row, packages as they are installed, compilers that users may still have.
// Each takes many seconds of its own, so that they are kept out of the tests that are run after every change.
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    root: join(import.meta.dirname, ".."),
    include: ["test/**/*.thorough.test.ts"],
    exclude: ["**/node_modules/**"],
    setupFiles: ["test/setup.ts"],
    maxWorkers: 2,
    // What is waited for may take nearly as long as a test: the message of the wait tells more than that of the test.
    expect: { poll: { timeout: 115_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
