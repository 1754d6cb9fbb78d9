import { expect, test } from "vitest";
import { bodyLimits } from "../../../sandbox/http/body.ts";
import { attack, attackWithLarge, type Damage } from "./attack.ts";

/** Two seconds and 300 MB above idle at most. */
function expectBounded({ slowest, memory, errors }: Damage): void {
  console.log(`the slowest in ${slowest.toFixed(0)} ms, ${(memory / 1e6).toFixed(0)} MB above idle`);
  expect(errors).toEqual([]);
  expect(slowest).toBeLessThan(2_000);
  expect(memory).toBeLessThan(300_000_000);
}

test("20,000 bad requests get error responses, quickly and in little memory", async () => {
  const damage = await attack(22_000);
  expect(damage.rejected).toBeGreaterThanOrEqual(20_000);
  expectBounded(damage);
});

test("a body of the largest size, whatever its shape, takes little time and memory", async () => {
  expectBounded(await attackWithLarge(bodyLimits.api));
});
