import { describe, expect, test } from "vitest";
import { newRunId } from "../../contract/config/load.ts";
import { Run } from "../../contract/engine/run.ts";
import { defaultDeadlines, type Settings } from "../../contract/engine/settings.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { planOf } from "../../contract/plan.ts";
import { findWindows } from "../../contract/rate-windows.ts";

const limit = 120;

/** A server with a rate limit, whose clock the hook advances; its windows follow that clock or real time. */
function rig(
  follows: boolean,
  without: Settings["without"] = [],
  notImplemented: Settings["notImplemented"] = [],
  profile: Settings["profile"] = "core",
) {
  let elapsed = 0;
  let ahead = 0;
  let inFlight = 0;
  const waits: number[] = [];
  const advances: { seconds: number; inFlight: number }[] = [];
  const counted: number[] = [];
  const settings: Settings = {
    ...{ baseUrl: "http://127.0.0.1:1", profile, runId: newRunId(), keys: { full: "a-key" } },
    ...{ fixtures: {}, deadlines: defaultDeadlines, without, notImplemented },
    hooks: {
      advanceClock: ({ seconds }) => {
        advances.push({ seconds, inFlight });
        ahead += seconds * 1000;
      },
    },
  };
  const run = new Run({
    settings,
    onWait: (milliseconds) => waits.push(milliseconds),
    time: {
      now: () => 1_700_000_000_000 + elapsed,
      elapsed: () => elapsed,
      wait: async (milliseconds) => {
        elapsed += milliseconds;
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
    fetch: async () => {
      const now = elapsed + (follows ? ahead : 0);
      while (counted[0] !== undefined && counted[0] <= now - 60_000) counted.shift();
      inFlight += 1;
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      const error = { type: "rate_limited", message: "Too many.", request_id: "req_1" };
      if (counted.length >= limit)
        return Response.json({ error }, { status: 429, headers: { "retry-after": "60" } });
      counted.push(now);
      const headers = {
        "x-ratelimit-limit": `${limit}`,
        "x-ratelimit-remaining": `${limit - counted.length}`,
      };
      return Response.json({}, { headers });
    },
  });
  const send = async (number: number): Promise<number[]> =>
    Promise.all(Array.from({ length: number }, async () => (await new Tester(run).request("getMe")).status));
  return { run, settings, send, waits, advances, find: () => findWindows(new Tester(run), planOf(settings)) };
}

describe("if the clock hook opens a new window of the rate limit", () => {
  test("a run advances the clock between requests, and never waits", async () => {
    const { find, send, waits, advances } = rig(true);
    expect(await find()).toEqual({ limit, areOpened: true });
    expect(new Set(await send(400))).toEqual(new Set([200]));
    expect(waits.filter((milliseconds) => milliseconds > 1_000)).toEqual([]);
    expect(advances.length).toBeGreaterThan(3);
    expect(advances.filter(({ inFlight }) => inFlight > 0)).toEqual([]);
  });

  test("it finds that out without getMe, too", async () => {
    const { find, advances } = rig(true, [], ["getMe", "listCustomFields"]);
    expect(await find()).toEqual({ limit, areOpened: true });
    expect(advances).toHaveLength(1);
  });

  test("random sequences alone, which are few test cases, find that out, too", async () => {
    expect(await rig(true, [], [], "model").find()).toEqual({ limit, areOpened: true });
  });

  test("it does not if the tag clock is left out", async () => {
    const { find, advances } = rig(true, ["clock"]);
    expect(await find()).toEqual({ limit, areOpened: false });
    expect(advances).toEqual([]);
  });
});

test("a hook that fails is told from one that opens no window, and the run waits", async () => {
  const { find, run } = rig(true);
  run.hooks.advanceClock = () => Promise.reject(new Error("advanceClock responded with 404: no"));
  const failure = "hooks.advanceClock failed: advanceClock responded with 404: no";
  expect(await find()).toEqual({ limit, areOpened: false, failure });
});

test("if the rate limit counts in real time, a run tries the hook once, and waits", async () => {
  const { find, send, waits, advances } = rig(false);
  expect(await find()).toEqual({ limit, areOpened: false });
  expect(new Set(await send(150))).toEqual(new Set([200]));
  expect(waits.some((milliseconds) => milliseconds > 50_000)).toBe(true);
  expect(advances).toHaveLength(1);
});

test("a hook that was thought to open windows is not called again after a 429", async () => {
  const { run, send, advances } = rig(false);
  run.opensWindows = true;
  expect(new Set(await send(300))).toEqual(new Set([200]));
  expect(advances.length).toBeLessThan(3);
  expect(run.opensWindows).toBe(false);
});
