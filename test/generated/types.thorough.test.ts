import { expect, test } from "vitest";
import { compileParts, subjects } from "./compile.ts";

test.for(subjects)("$subject compiles under TypeScript 5", async (subject) => {
  expect(await compileParts("TypeScript 5.9", subject)).toBe("");
});
