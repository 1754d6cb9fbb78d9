import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { planOf, runPlan } from "../../contract/plan.ts";
import { demoSettings } from "../mutants/demo.ts";
import { createRun, openSandbox, runOnSandbox } from "../mutants/harness.ts";
import type { Interceptor } from "../mutants/mutant.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Pseudo-random numbers from 0 to 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe("two runs at the same time", () => {
  test.each([1, 2, 3])("cause no false positives in each other, with pauses %i", async (seed) => {
    vi.spyOn(Math, "random").mockImplementation(numbersFrom(seed));
    const { sandbox, time } = await openSandbox();
    onTestFinished(() => sandbox.close());
    const plan = planOf({ ...demoSettings("core"), without: ["clock", "burst"] });
    const outcomes = await Promise.all(
      ["one", "other"].map((runId) =>
        runPlan(createRun(sandbox, time, { settings: { ...demoSettings("core"), runId } }), plan),
      ),
    );
    const found = outcomes.flat().filter(({ verdict }) => verdict === "fail" || verdict === "error");
    expect(found.map(({ ids, failure, reason }) => `${ids.join(" ")}: ${failure?.found ?? reason}`)).toEqual(
      [],
    );
  });

  test("are reported if the numbers show nothing else", async () => {
    const random = numbersFrom(1);
    /** Requests of others between all requests: sometimes more, sometimes fewer, and in no rhythm. */
    const others: Interceptor = async (request, next) => {
      const response = await next(request);
      const own = { ...request, method: "GET", path: "/api/v1/me", body: undefined };
      for (let left = Math.ceil(random() * 5); left > 0; left -= 1) await next(own);
      return response;
    };
    const outcomes = await runOnSandbox({
      intercept: () => others,
      plans: [planOf({ ...demoSettings("core"), without: ["clock", "burst"] }, /LIMIT-[234] /)],
    });
    expect(new Set(outcomes.map(({ verdict }) => verdict))).toEqual(new Set(["not verified"]));
    for (const { reason } of outcomes) expect(reason).toContain("Others use this account");
  });
});
