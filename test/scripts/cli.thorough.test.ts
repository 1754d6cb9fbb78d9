import { expect, test } from "vitest";
import { runHere } from "./run-here.ts";

test("generate --check: exit code 0", async () => {
  const { status, out } = await runHere("generate", "--check");
  expect(out).toMatch(/^generated\/: \d+ unchanged$/m);
  expect(status).toBe(0);
});

test("lint has no findings: exit code 0", async () => {
  const { status, out } = await runHere("lint", "--format", "json");
  expect(out).toMatch(/^\[\]$/m);
  expect(status).toBe(0);
});
