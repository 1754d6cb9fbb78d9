import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Checks need a server to run against; `npm run contract` runs them.
    exclude: ["test/contract/**", "**/node_modules/**"],
    // Every core runs tests, and what a test file has loaded is there for the next: most of the time went into loading.
    maxWorkers: "100%",
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
