import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { youngGeneration } from "../vitest.config.ts";

// `npm run test:thorough`: tests that take several seconds each, such as browsers, killed processes, installed packages, older
// compilers, random programs and repeated runs of the suite.
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    root: join(import.meta.dirname, ".."),
    include: ["test/**/*.thorough.test.ts"],
    exclude: ["**/node_modules/**"],
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/thorough.setup.ts"],
    // One more than there are cores: tests wait for processes and servers.
    maxWorkers: availableParallelism() + 1,
    execArgv: [youngGeneration],
    // Nearly as long as a test: the message of a poll says more than a timeout.
    expect: { poll: { timeout: 115_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
