import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import { expect, test } from "vitest";
import { generatedFolder } from "../../scripts/common/paths.ts";
import { compile } from "../compiler.ts";

test("hey-api generates a client that compiles", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "hey-api-"));
  try {
    await createClient({
      input: join(generatedFolder, "openapi.json"),
      output: join(folder, "client"),
      logs: { level: "silent" },
    });
    const options = { strict: true, target: "es2024", module: "preserve", skipLibCheck: true, types: [] };
    expect(
      await compile("TypeScript 7", folder, { compilerOptions: options, files: ["client/index.ts"] }),
    ).toBe("");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
