import { expect, test } from "vitest";
import { generators } from "./all.ts";
import { commandsOf } from "./generator.ts";
import { guideAfter, lastRuns } from "./record.ts";

test("the guide shows the last runs", async () => {
  const { current, expected } = await guideAfter(await lastRuns());
  expect(current).toBe(expected);
  expect(current).toContain("| openapi-generator java 7.");
});

test("each generator passed with its commands: npm run generators -- --record <name>", async () => {
  const runs = Object.entries(await lastRuns());
  expect(Object.fromEntries(runs.map(([name, { commands }]) => [name, commands]))).toEqual(
    Object.fromEntries(generators.map((generator) => [generator.name, commandsOf(generator)])),
  );
});
