import { expect, test } from "vitest";
import { exploreSandbox } from "./explore.ts";

test.each(["email", "newsletter"] as const)(
  "1,000 sequences of %s operations match the model on the sandbox",
  async (product) => {
    const options = { product, sequences: 1000, seconds: 600, seed: 1 };
    const { sequences, steps, failures } = await exploreSandbox(options);
    expect(failures).toEqual([]);
    expect(sequences).toBe(1000);
    expect(steps).toBeGreaterThan(15_000);
  },
  600_000,
);
