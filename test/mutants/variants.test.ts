import { describe, expect, it } from "vitest";
import { falsePositivesOn, planFor } from "./variants/false-positives.ts";
import { variants } from "./variants.ts";

// The profile core on some variants; CI runs the whole suite on all with `npm run contract:variants`.
const plan = planFor("core");
const some = variants.filter((_, index) => index % 5 === 0);

describe("no false positive on a correct server that", () => {
  it("is one of at least 36", () => {
    expect(variants.length).toBeGreaterThanOrEqual(36);
  });

  it.each(some)("$title", async (variant) => {
    const { cases, falsePositives } = await falsePositivesOn(variant, plan);
    expect(falsePositives).toEqual([]);
    expect(cases).toBeGreaterThan(300);
  });
});
