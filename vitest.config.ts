import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Tests start Prism, Redocly, Spectral and our own command dozens of times: what V8 made of their code is kept for the
// next. It goes by the code itself, so that a change never meets what was made of the code before it.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Checks need a server to run against; `npm run contract` runs them.
    // The built site and the samples on it have a configuration of their own; `npm run docs:check` runs them.
    // What takes long has one too; `npm run test:thorough`.
    exclude: [
      "test/contract/**",
      "test/docs/{site,samples}/**",
      "**/*.thorough.test.ts",
      "**/node_modules/**",
    ],
    setupFiles: ["test/setup.ts"],
    // One more than there are cores: tests wait for processes and servers. What a test file has loaded is there for the
    // next: much of the time went into loading.
    maxWorkers: availableParallelism() + 1,
    isolate: false,
    fsModuleCache: true,
    // What is waited for may take nearly as long as a test: the message of the wait tells more than that of the test.
    expect: { poll: { timeout: 25_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
