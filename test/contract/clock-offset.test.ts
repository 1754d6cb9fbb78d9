import { describe, expect, onTestFinished, test } from "vitest";
import { measureClockOffset } from "../../contract/clock-offset.ts";
import { Tester } from "../../contract/engine/tester.ts";
import type { OperationId } from "../../generated/operations.ts";
import { demoSettings } from "../mutants/demo.ts";
import { createRun, openSandbox } from "../mutants/harness.ts";
import type { MutantRequest } from "../mutants/mutant.ts";

const ahead = 3 * 24 * 3600;

/** What a run sends to find the clock of a server that is ahead, while its header Date is right, and the offset that it finds. */
async function offsetOf(notImplemented: OperationId[], seconds: number) {
  const { sandbox, time } = await openSandbox();
  onTestFinished(() => sandbox.close());
  const sent: MutantRequest[] = [];
  const accepted: unknown[] = [];
  const date = new Date(time.now()).toUTCString();
  const run = createRun(sandbox, time, {
    settings: { ...demoSettings("core"), notImplemented },
    intercept: () => async (request, next) => {
      sent.push(request);
      const response = await next(request);
      const { scheduled_at } = (request.body ?? {}) as { scheduled_at?: unknown };
      if (scheduled_at !== undefined && response.status < 300) accepted.push(request.body);
      return { ...response, headers: { ...response.headers, date } };
    },
  });
  await run.hooks.advanceClock?.({ seconds });
  await measureClockOffset(new Tester(run));
  return { sent, accepted, offset: run.offset / 1000 };
}

describe("the clock of a server at the start of a run", () => {
  test.each([[[]], [["cancelEmail" as const]]])(
    "is found by what it schedules, without %o",
    async (missing) => {
      const { offset } = await offsetOf(missing, ahead);
      expect(Math.abs(offset - ahead)).toBeLessThan(60);
      expect((await offsetOf(missing, 0)).offset).toBe(0);
    },
  );

  test("leaves no scheduled message if nothing can be canceled", async () => {
    const { sent, accepted } = await offsetOf(["cancelEmail"], ahead);
    expect(sent.length).toBeGreaterThan(2);
    expect(accepted).toEqual([]);
  });

  test("is found without getMe, by a request that changes nothing", async () => {
    const { sent } = await offsetOf(["sendEmail", "getMe"], ahead);
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/v1/newsletter/lists"]);
  });
});
