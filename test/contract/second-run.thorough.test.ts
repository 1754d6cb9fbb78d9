import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { measureClockOffset } from "../../contract/clock-offset.ts";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { runPlan } from "../../contract/plan.ts";
import type { Sandbox } from "../../sandbox/index.ts";
import { runContract } from "../../scripts/contract/contract.ts";
import { startTarget, type Target } from "../../scripts/contract/targets.ts";
import { demoSettings } from "../mutants/demo.ts";
import { createRun, openSandbox } from "../mutants/harness.ts";
import { shows } from "../mutants/mutant.ts";
import { planFor } from "../mutants/variants/false-positives.ts";
import type { VirtualTime } from "../mutants/virtual-time.ts";
import { casesIn, nameOf } from "./requested.ts";

/** A sandbox for one test, and a clock that also advances it. */
async function standingSandbox(): Promise<Awaited<ReturnType<typeof openSandbox>>> {
  const opened = await openSandbox();
  onTestFinished(() => opened.sandbox.close());
  return opened;
}

describe("the hook reset", () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget("sandbox");
  });
  afterAll(() => target.close());

  const runWith = async (settings: Settings, grep: RegExp) => {
    const { counts, exitCode, resetError } = await runContract({ settings, grep });
    expect(counts.pass).toBeGreaterThan(0);
    return { exitCode, resetError };
  };
  const daysAhead = async (): Promise<number> => {
    const response = await fetch(`${target.settings.baseUrl}/sandbox/clock`);
    const { now } = (await response.json()) as { now: string };
    return Math.round(Math.abs(Date.parse(now) - Date.now()) / 86_400_000);
  };

  test("is called after a run that moved the clock", async () => {
    for (const _ of ["once", "again"]) {
      expect(await runWith(target.settings, /AUTH-7/)).toEqual({ exitCode: 0 });
      expect(await daysAhead()).toBe(0);
    }
  });

  test("is not called after a run without changes outside the API", async () => {
    const reset = { url: "http://127.0.0.1:1/reset" };
    const hooks = { ...target.settings.hooks, reset };
    expect(await runWith({ ...target.settings, hooks }, /LIST-1(?!\d)/)).toEqual({ exitCode: 0 });
  });

  test("fails the run if it fails", async () => {
    const reset = { url: `${target.settings.baseUrl}/sandbox/nothing` };
    const hooks = { ...target.settings.hooks, reset };
    expect(await runWith({ ...target.settings, hooks }, /AUTH-7/)).toEqual({
      exitCode: 1,
      resetError: expect.stringMatching(/reset responded with 404/),
    });
    expect(await daysAhead()).toBeGreaterThan(1);
  });
});

describe("a server with wrong times in records and a correct clock", () => {
  test.each([-1, 1])("is not treated as one whose clock is %i days off", async (days) => {
    const { sandbox, time } = await standingSandbox();
    const off = (at: unknown): unknown =>
      typeof at === "string" ? new Date(Date.parse(at) + days * 86_400_000).toISOString() : at;
    const { intercept } = shows("LOOK-10", "", (response) => {
      const body = response.body as { sent_at?: unknown; events?: { at: unknown }[] } | undefined;
      const events = body?.events?.map((event) => ({ ...event, at: off(event.at) }));
      return events && { ...response, body: { ...body, sent_at: off(body?.sent_at), events } };
    });
    const run = createRun(sandbox, time, { intercept });
    await measureClockOffset(new Tester(run));
    expect(run.offset).toBe(0);
  });
});

/** Everything except passes. */
const falsePositives = (outcomes: CaseOutcome[]): string[] =>
  outcomes
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ ids, title, verdict, reason, failure }) => {
      const why = failure === undefined ? reason : `expected ${failure.expected}, got ${failure.found}`;
      return `${verdict}: ${ids.join(" ")} (${title}): ${why}`;
    });

const full = planFor("full");

async function runOn({ sandbox, time }: { sandbox: Sandbox; time: VirtualTime }, runId: string, plan = full) {
  const run = createRun(sandbox, time, { settings: { ...demoSettings(), runId } });
  await measureClockOffset(new Tester(run));
  const outcomes = await runPlan(run, plan);
  const found = falsePositives(outcomes);
  return { outcomes, found, offset: run.offset, putBack: () => run.reset() };
}

test("a second run on one server detects how far the first moved the clock; after a reset, what it could not verify passes again", async () => {
  const server = await standingSandbox();
  const first = await runOn(server, "first");
  expect(first).toMatchObject({ found: [], offset: 0 });
  const second = await runOn(server, "second");
  expect(second.offset).toBeGreaterThan(20 * 86_400_000);
  // What a run uses up stays so and is named.
  const usedUp = /^not verified: .*(keys\.replaced may have ended|an earlier run unsubscribed it)/;
  expect(second.found.filter((message) => !usedUp.test(message))).toEqual([]);
  expect(second.found.length).toBeGreaterThan(0);
  await second.putBack();
  await server.sandbox.clock.advance(server.time.elapsed());
  const unverified = new Set(second.outcomes.flatMap((one) => (one.verdict === "pass" ? [] : nameOf(one))));
  const third = await runOn(
    server,
    "third",
    casesIn(full, (name) => unverified.has(name)),
  );
  expect(third.outcomes.length).toBeGreaterThanOrEqual(unverified.size);
  expect(third.found).toEqual([]);
});
