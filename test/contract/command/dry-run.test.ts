import { afterAll, beforeAll, describe, expect, test } from "vitest";
import recorded from "../../../contract/recorded.json" with { type: "json" };
import { dryRun, minutesOf } from "../../../scripts/contract/run-estimate.ts";
import { startTarget, type Target } from "../../../scripts/contract/targets.ts";

const { full } = recorded.profiles;
let target: Target;
beforeAll(async () => {
  target = await startTarget("sandbox");
});
afterAll(() => target.close());

describe("contract --dry-run", () => {
  test("lists the checks with their test cases, and makes no request", async () => {
    let text = "";
    const settings = { ...target.settings, baseUrl: "http://127.0.0.1:1", keys: { full: "canary-key-1234" } };
    const print = (said: string) => {
      text += said;
    };
    expect(await dryRun(settings, /IDEM-1 |AUTH-14/, { print })).toBe(0);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const lines = text.replaceAll(/\n {2}/g, " ");
    expect(lines).toMatch(/^IDEM-1 .* \(\d test cases\)$/m);
    expect(lines).toMatch(/^AUTH-14 .* \(0 of \d+ test cases; not configured: keys.revoked\)$/m);
    expect(lines.replaceAll("\n", " ")).toMatch(
      /A complete run of the profile full makes about [\d,]+ requests and sends about [\d,]+ messages/,
    );
    expect(text).toContain("It can verify up to 1 of 2 requirements.");
    expect(text).not.toContain("canary");
  });

  test("says that another number of random sequences changes the number of requests", async () => {
    const texts: string[] = [];
    const print = (text: string): unknown => texts.push(text);
    for (const sequences of [{ seed: 7 }, { sequences: 500 }])
      await dryRun({ ...target.settings, sequences }, /AUTH-14/, { print });
    expect(texts.map((text) => text.includes("--sequences"))).toEqual([false, true]);
  });

  test.each([[[]], [["clock" as const]]])(
    "says that the profile model can verify all that it plans, and that its time ends it; without %o",
    async (without) => {
      let text = "";
      const print = (said: string) => {
        text += said;
      };
      await dryRun({ ...target.settings, profile: "model", without }, undefined, { print });
      const line = text.replaceAll("\n", " ");
      expect(line).toMatch(/It can verify up to (\d{3}) of \1 requirements\./);
      expect(line).toContain("makes fewer requests: its random sequences end after 240 seconds.");
    },
  );

  test.each([
    // 120 requests a minute: those of checks, and at most 80 in 40 seconds, 1,200 in 600 by sequences.
    [
      {},
      (most: number) => Math.ceil((most + 80) / 120) - 1,
      " and makes fewer requests: its random sequences end after 40 seconds.",
    ],
    [
      { seconds: 600 },
      (most: number) => Math.ceil((most + 1_200) / 120) - 1,
      " and makes fewer requests: its random sequences end after 600 seconds.",
    ],
    [{ seconds: 6000 }, () => Math.ceil(full.limitedRequests / 120) - 1, ". "],
  ])(
    "knows the time limit of the random sequences of the profile full; with %o",
    async (sequences, minutes, rest) => {
      let text = "";
      const print = (said: string) => {
        text += said;
      };
      await dryRun({ ...target.settings, profile: "full", sequences }, undefined, { print });
      const ofChecks = full.limitedRequests - full.limitedBySequences;
      expect(text.replaceAll("\n", " ")).toContain(
        `With a rate limit of 120 requests per minute, it takes at least ${minutes(ofChecks)} minutes${rest}`,
      );
    },
  );

  test.each([
    [0, 120, 0],
    [120, 120, 0],
    [121, 120, 1],
    [350, 120, 2],
  ])("%i requests at %i per minute take at least %i minutes", (requests, limit, minutes) => {
    expect(minutesOf(requests, limit)).toBe(minutes);
  });
});
