import { describe, expect, it } from "vitest";
import { alarmsOn, planFor } from "./variants/alarms.ts";
import { variants } from "./variants.ts";

// Each promise once; `npm run contract:variants` tries everything.
const plan = planFor("core");

describe("no alarm on a correct server that", () => {
  it("is one of at least 12", () => {
    expect(variants.length).toBeGreaterThan(12);
  });

  it.each(variants)("$title", async (variant) => {
    const { trials, alarms } = await alarmsOn(variant, plan);
    expect(alarms).toEqual([]);
    expect(trials).toBeGreaterThan(300);
  });
});
