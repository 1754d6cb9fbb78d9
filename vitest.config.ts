import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

// Tests start Prism, Spectral and this project's command dozens of times. The cache of compiled code is keyed by the code itself.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

/** A run of the suite makes many short-lived objects: with less room for them, a fifth of its time goes to collecting them. */
export const youngGeneration = "--max-semi-space-size=64";

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The built site and its samples: `npm run docs:check`.
    // Tests that take several seconds each: `npm run test:thorough`.
    exclude: ["test/docs/{site,samples}/**", "**/*.thorough.test.ts", "**/node_modules/**"],
    setupFiles: ["test/setup.ts"],
    // One more than there are cores: tests wait for processes and servers. Without isolation a test file reuses loaded modules.
    maxWorkers: availableParallelism() + 1,
    isolate: false,
    execArgv: [youngGeneration],
    fsModuleCache: true,
    sequence: { sequencer: LongestFirst },
    // Nearly as long as a test: the message of a poll says more than a timeout.
    expect: { poll: { timeout: 25_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
