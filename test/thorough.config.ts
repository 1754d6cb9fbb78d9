import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { youngGeneration } from "../vitest.config.ts";
import { LongestFirst } from "./longest-first.ts";

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
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    execArgv: [youngGeneration],
    // Shorter than a test: the message of a poll says more than a timeout.
    expect: { poll: { timeout: 115_000 } },
    // Beside another job a run of the suite can take two minutes.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
