import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { examples } from "./examples.ts";
import { type Compiler, compilers, installClient, type Project } from "./installed.ts";

let project: Project;
beforeAll(async () => {
  project = await installClient();
  await cp(join(import.meta.dirname, "samples/types.ts.txt"), join(project.folder, "types.ts"));
  for (const { code, file } of examples) await writeFile(join(project.folder, file), code);
}, 120_000);
afterAll(() => project.remove());

test.for(Object.keys(compilers) as Compiler[])(
  "the types take what is right and refuse what is wrong, and the README's examples compile, under %s",
  { timeout: 120_000 },
  async (compiler) => {
    expect(await project.check(compiler)).toBe("");
  },
);

test("a mistake is noticed where none is expected", { timeout: 120_000 }, async () => {
  const text = 'import { createClient } from "email-api-client";\ncreateClient({ key: "k", baseUrl: 7 });';
  await writeFile(join(project.folder, "wrong.ts"), text);
  expect(await project.check("TypeScript 7")).toContain("'number' is not assignable to type 'string'");
});
