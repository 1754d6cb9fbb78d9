import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installExamples } from "./examples-project.ts";
import type { Project } from "./installed.ts";

// `npm run test:thorough` has older compilers.
let project: Project;
beforeAll(async () => {
  project = await installExamples();
}, 120_000);
afterAll(() => project.remove());

test("the types accept valid and reject invalid code, and the examples of the README compile", {
  timeout: 120_000,
}, async () => {
  expect(await project.check("TypeScript 7")).toBe("");
});

test("an unexpected type error is reported", { timeout: 120_000 }, async () => {
  const text = 'import { createClient } from "email-api-client";\ncreateClient({ key: "k", baseUrl: 7 });';
  await writeFile(join(project.folder, "wrong.ts"), text);
  expect(await project.check("TypeScript 7")).toContain("'number' is not assignable to type 'string'");
});
