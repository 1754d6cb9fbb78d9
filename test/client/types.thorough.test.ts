import { afterAll, beforeAll, expect, test } from "vitest";
import { type Compiler, compilers } from "../compiler.ts";
import { installExamples } from "./examples-project.ts";
import type { Project } from "./installed.ts";

let project: Project;
beforeAll(async () => {
  project = await installExamples();
});
afterAll(() => project.remove());

test.for(Object.keys(compilers) as Compiler[])(
  "the types accept valid and reject invalid code, and the examples of the README compile, with %s",
  async (compiler) => {
    expect(await project.check(compiler)).toBe("");
  },
);
