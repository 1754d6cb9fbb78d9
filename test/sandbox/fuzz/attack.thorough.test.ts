import { expect, test } from "vitest";
import { bodyLimits } from "../../../sandbox/api/context.ts";
import { attack, costsOfLarge } from "./attack.ts";

/** How much memory requests may take above idle, in bytes. */
const mostMemory = 300_000_000;

test("5,000 bad requests get error responses, quickly and in little memory", async () => {
  const { statuses, rejected, slowest, memory, errors } = await attack(5_500);
  console.log(`the slowest in ${slowest.toFixed(0)} ms, ${(memory / 1e6).toFixed(0)} MB above idle`);
  expect(errors).toEqual([]);
  expect(rejected).toBeGreaterThanOrEqual(5_000);
  // If everything were rejected alike, little would be tested.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 202, 401, 402, 403, 404, 409, 422]));
  expect(slowest).toBeLessThan(2_000);
  expect(memory).toBeLessThan(mostMemory);
});

test("a body of the largest size, whatever its shape, takes little time and memory", async () => {
  const costs = await costsOfLarge(bodyLimits.api);
  expect(costs.flatMap(({ errors }) => errors)).toEqual([]);
  expect(Math.max(...costs.map(({ memory }) => memory))).toBeLessThan(mostMemory);
  // What a plain text of this size costs depends on the machine as the others do. `npm run bench:sandbox` has the seconds.
  const plain = costs.find(({ name }) => name === "one text")?.cpu ?? 0;
  expect(costs.filter(({ cpu }) => cpu > 4 * plain)).toEqual([]);
});
