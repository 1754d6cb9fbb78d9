import { join } from "node:path";
import { defineConfig } from "vitest/config";

// `npm run docs:check`: the built site in a browser, and its samples.
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    root: join(import.meta.dirname, "../../.."),
    include: ["test/docs/site/*.test.ts", "test/docs/samples/*.test.ts"],
    globalSetup: ["test/docs/site/built-site.ts"],
    setupFiles: ["test/setup.ts"],
    maxWorkers: 2,
    isolate: false,
    // Half the timeout of a test, so that the message of a failed poll is shown: it says more than that of the test.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
