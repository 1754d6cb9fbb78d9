import { describe, expect, test } from "vitest";
import { type DiscoverOptions, discover } from "../../../contract/config/discover.ts";
import { newRunId } from "../../../contract/config/load.ts";
import { check } from "../../../contract/engine/check.ts";
import { Run } from "../../../contract/engine/run.ts";
import { runCase } from "../../../contract/engine/run-case.ts";
import { defaultDeadlines, type Settings } from "../../../contract/engine/settings.ts";
import { Tester } from "../../../contract/engine/tester.ts";
import { runDoctor } from "../../../scripts/contract/doctor.ts";
import { runInit } from "../../../scripts/contract/init.ts";
import { printWait } from "../../../scripts/contract/output.ts";
import { complaint, folderWith } from "./folder.ts";

const baseUrl = "http://127.0.0.1:1";
const env = { CONTRACT_API_KEY: "a-key-of-the-test" };
const settings: Settings = {
  baseUrl,
  profile: "core",
  runId: newRunId(),
  keys: { full: "a-key-of-the-test" },
  fixtures: {},
  deadlines: defaultDeadlines,
  hooks: {},
  without: [],
};

/** A server that rejects the first requests for the rate limit, with a clock that only waits advance. */
function rejecting(
  retryAfter: number | string,
  first = 1,
): Required<Omit<DiscoverOptions, "keyVariable" | "wait">> & { waits: number[] } {
  let elapsed = 0;
  let calls = 0;
  const waits: number[] = [];
  return {
    waits,
    onWait: (milliseconds) => waits.push(milliseconds),
    fetch: async () => {
      calls += 1;
      if (calls > first) return Response.json({ lists: [], fields: [] });
      const error = { type: "rate_limited", message: "Too many requests.", request_id: "req_1" };
      const headers = { "retry-after": String(retryAfter) };
      return Response.json({ error }, { status: 429, headers });
    },
    time: {
      now: () => Date.now(),
      elapsed: () => elapsed,
      wait: async (milliseconds) => {
        elapsed += milliseconds;
      },
    },
  };
}

describe("a server that rejects the first requests for the rate limit", () => {
  test("is waited for, and each wait is reported", async () => {
    const { waits, ...means } = rejecting(30);
    const { rejections } = await discover(settings, means);
    expect(rejections).toEqual({});
    expect(waits).toEqual([30_000]);
  });

  test.each(["-5", "0.001", "0x2", "soon"])(
    "is waited for a minute if its Retry-After is %j",
    async (text) => {
      const { waits, ...means } = rejecting(text);
      await discover(settings, means);
      expect(waits).toEqual([60_000]);
    },
  );

  test.each([
    ["contract", () => discover(settings, rejecting(3600))],
    ["doctor", () => runDoctor({ baseUrl, env, folder: folderWith(), ...rejecting(3600) })],
    ["init", () => runInit({ baseUrl, env, folder: folderWith(), ...rejecting(3600) })],
  ])("is given up by %s if it demands an hour", async (_, look) => {
    const { text, exitCode } = await complaint(look());
    expect(text).toContain("with a wait of 3600 s; the suite waits at most 120 s.\nTry again later");
    expect(exitCode).toBe(2);
  });

  test("ends a test case with an error, without a wait", async () => {
    const { waits, ...means } = rejecting(121);
    const one = check("AUTH-1", "a check", (tester) => tester.request("getMe"));
    const [testCase] = one.cases;
    if (testCase === undefined) throw new Error("the check has no test case");
    const [outcome] = await runCase(new Run({ settings, ...means }), one, testCase);
    expect(outcome?.verdict).toBe("error");
    expect(outcome?.reason).toMatch(
      /^GET \/api\/v1\/me was rejected for the rate limit with a wait of 121 s/,
    );
    expect(waits).toEqual([]);
  });

  test("a run reports what it polls if that takes long", async () => {
    const { fetch: _, ...means } = rejecting(0);
    const polls: [string, number][] = [];
    const onPoll = (what: string, left: number) => polls.push([what, left]);
    const run = new Run({ settings, ...means, fetch: async () => Response.json({}), onPoll });
    const tester = new Tester(run);
    const ask = () => tester.request("getEmail", { path: { id: "x" } });
    await tester.until(ask, () => false, 1);
    expect(polls).toEqual([]);
    await tester.until(ask, () => false, 60);
    expect(polls.length).toBeGreaterThan(3);
    for (const [what, left] of polls) {
      expect(what).toBe("getEmail");
      expect(left).toBeLessThan(60_000);
    }
  });

  test("a wait is printed in a line", () => {
    const lines: string[] = [];
    printWait(400, { write: (text) => lines.push(text) });
    printWait(59_400, { write: (text) => lines.push(text) });
    expect(lines).toEqual(["waiting 60 s for the rate limit\n"]);
  });
});
