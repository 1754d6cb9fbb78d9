import { describe, expect, test } from "vitest";
import { measureClockOffset } from "../../contract/clock-offset.ts";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { runPlan } from "../../contract/plan.ts";
import type { Sandbox } from "../../sandbox/index.ts";
import { demoSettings } from "../mutants/demo.ts";
import { createRun } from "../mutants/harness.ts";
import { planFor } from "../mutants/variants/false-positives.ts";
import type { VirtualTime } from "../mutants/virtual-time.ts";
import { standingSandbox } from "./standing-sandbox.ts";

/** Everything except passes. */
const falsePositives = (outcomes: CaseOutcome[]): string[] =>
  outcomes
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ ids, title, verdict, reason, failure }) => {
      const why = failure === undefined ? reason : `expected ${failure.expected}, got ${failure.found}`;
      return `${verdict}: ${ids.join(" ")} (${title}): ${why}`;
    });

const full = planFor("full");

async function wholeRun(
  { sandbox, time }: { sandbox: Sandbox; time: VirtualTime },
  runId: string,
): Promise<{ found: string[]; offset: number; putBack(): Promise<void> }> {
  const run = createRun(sandbox, time, { settings: { ...demoSettings(), runId } });
  await measureClockOffset(new Tester(run));
  const found = falsePositives(await runPlan(run, full));
  return { found, offset: run.offset, putBack: () => run.reset() };
}

describe("a second run on one server", () => {
  test("has the same outcomes after a reset", async () => {
    const server = await standingSandbox();
    const first = await wholeRun(server, "first");
    expect(first.found).toEqual([]);
    await first.putBack();
    await server.sandbox.clock.advance(server.time.elapsed());
    const second = await wholeRun(server, "second");
    expect(second.found).toEqual([]);
  });

  test("detects how far the first run moved the clock, and does not fail", async () => {
    const server = await standingSandbox();
    const first = await wholeRun(server, "first");
    expect(first.offset).toBe(0);
    const second = await wholeRun(server, "second");
    expect(second.offset).toBeGreaterThan(20 * 86_400_000);
    // What a run uses up stays so and is named.
    const usedUp = /^not verified: .*(keys\.replaced may have ended|an earlier run unsubscribed it)/;
    expect(second.found.filter((message) => !usedUp.test(message))).toEqual([]);
    expect(second.found.length).toBeGreaterThan(0);
  });
});
