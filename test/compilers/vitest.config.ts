import { join } from "node:path";
import { defineConfig } from "vitest/config";

// `npm run types:older`: the compilers that users may still have. Theirs is most of the time that compiling takes; the newest has its turn in every run of the tests.
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    root: join(import.meta.dirname, "../.."),
    include: ["test/compilers/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
