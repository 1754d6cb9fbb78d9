import { describe, expect, it } from "vitest";
import { falsePositivesOn, planFor } from "./variants/false-positives.ts";
import { variants } from "./variants.ts";

// Some of them, each promise once; `npm run contract:variants`, a step of CI, holds everything against all of them.
const plan = planFor("core");
const some = variants.filter((_, index) => index % 5 === 0);

describe("no alarm on a correct server that", () => {
  it("is one of at least 12", () => {
    expect(variants.length).toBeGreaterThan(12);
  });

  it.each(some)("$title", async (variant) => {
    const { trials, alarms } = await falsePositivesOn(variant, plan);
    expect(alarms).toEqual([]);
    expect(trials).toBeGreaterThan(300);
  });
});
