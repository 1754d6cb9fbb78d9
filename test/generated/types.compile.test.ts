import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { compileParts, subjects } from "./compile.ts";

// Older compilers have their turn in `npm run test:thorough`.
test.for(subjects)("$subject compiles", { timeout: 60_000 }, async (subject) => {
  expect(await compileParts("TypeScript 7", subject)).toBe("");
});

test("a false statement is reported", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "email-api-types-"));
  const statement = `import type { components } from ${JSON.stringify(join(root, "generated/types.ts"))};
    export const status: components["schemas"]["MessageStatus"] = "lost";`;
  try {
    await writeFile(join(folder, "wrong.ts"), statement);
    const said = await compileParts("TypeScript 7", {
      include: [relative(root, folder)],
      options: { types: [] },
    });
    expect(said).toContain('"lost"');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
