import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Checks need a server to run against; `npm run contract` runs them.
    exclude: ["test/contract/**", "**/node_modules/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
