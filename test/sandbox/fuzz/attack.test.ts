import { expect, test } from "vitest";
import { attack } from "./attack.ts";

test("a sample of bad requests gets error responses only", async () => {
  const { rejected, errors } = await attack(1_000);
  expect(errors).toEqual([]);
  expect(rejected).toBeGreaterThan(500);
});
