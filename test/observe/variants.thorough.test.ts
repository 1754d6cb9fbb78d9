import { describe, expect, it } from "vitest";
import { variants } from "../mutants/variants.ts";
import { failuresOf, observed, shuffled, suiteTraffic, withAll, withConfiguration } from "./samples.ts";

describe("the traffic of the suite on conforming variants shows no failure", () => {
  // All of them take minutes: every eighth.
  it.each(variants.filter((_, index) => index % 8 === 0))(
    "a server that $title",
    async ({ intercept, sandbox }) => {
      const traffic = await suiteTraffic(intercept, sandbox);
      expect(failuresOf(observed(traffic, withAll))).toEqual([]);
      expect(failuresOf(observed(shuffled(traffic), withConfiguration))).toEqual([]);
      expect(failuresOf(observed(traffic))).toEqual([]);
    },
  );
});
