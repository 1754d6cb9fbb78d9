import { expect, test } from "vitest";
import { compile, subjects } from "./compile.ts";

test.for(subjects)("$subject compiles under TypeScript 5", async (subject) => {
  expect(await compile("typescript", subject)).toBe("");
});
