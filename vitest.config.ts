import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Checks need a server to run against; `npm run contract` runs them.
    exclude: ["test/contract/**", "**/node_modules/**"],
    setupFiles: ["test/setup.ts"],
    // One more than there are cores: tests wait for processes and servers. What a test file has loaded is there for the
    // next: much of the time went into loading.
    maxWorkers: availableParallelism() + 1,
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
