import { describe, expect, it } from "vitest";
import { runVariant } from "./variants/run-variant.ts";
import { clientVariants } from "./variants/variants.ts";

// The profile core on some variants, which wait for little; CI runs the whole suite on all with `npm run client:variants`.
const some = clientVariants.filter((_, index) => index % 8 === 6);

describe("no false positive on a correct client that", () => {
  it("is one of at least 20", () => {
    expect(clientVariants.length).toBeGreaterThanOrEqual(20);
  });

  it.concurrent.each(some)("$title", async (variant) => {
    const { cases, falsePositives } = await runVariant(variant, "core");
    expect(falsePositives).toEqual([]);
    expect(cases).toBeGreaterThan(20);
  });
});
