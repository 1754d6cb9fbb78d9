import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planOf } from "../../../contract/plan.ts";
import { dryRun, rateLimitWait } from "../../../scripts/contract/run-estimate.ts";
import { startTarget, type Target } from "../../../scripts/contract/targets.ts";

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
    // What a run reads at its start may have been read.
    expect(lines.replaceAll("\n", " ")).toContain("a dry run, no check sends anything.");
    expect(lines).toMatch(/^IDEM-1 .* \(\d test cases\)$/m);
    expect(lines).toMatch(/^AUTH-14 .* \(0 of \d+ test cases; not configured: keys.revoked\)$/m);
    expect(lines.replaceAll("\n", " ")).toMatch(
      /This part of the profile full makes about \d+ requests and sends about \d+ messages/,
    );
    expect(text).toContain("It can verify up to 3 of 4 requirements.");
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
    "says that the profile model can verify all that it plans; without %o",
    async (without) => {
      let text = "";
      const print = (said: string) => {
        text += said;
      };
      await dryRun({ ...target.settings, profile: "model", without }, undefined, { print });
      const line = text.replaceAll("\n", " ");
      expect(line).toMatch(/It can verify up to (\d{3}) of \1 requirements\./);
    },
  );

  test("counts what only responses show, also of a run that leaves something out", async () => {
    let text = "";
    const print = (said: string) => {
      text += said;
    };
    await dryRun({ ...target.settings, without: ["hooks.failNext"] }, undefined, { print });
    expect(text.replaceAll("\n", " ")).toMatch(
      /It can verify up to \d{3} of \d{3} requirements, and \d\d more that responses show\./,
    );
  });

  test("says how long the rate limit makes a run", async () => {
    const texts: string[] = [];
    for (const profile of ["full", "model"] as const)
      await dryRun({ ...target.settings, profile }, undefined, { print: (text) => texts.push(text) });
    const [full, model] = texts.map((text) => text.replaceAll("\n", " "));
    expect(full).toMatch(
      /With a rate limit of 120 requests per minute, it takes at least \d\d minutes, unless hooks.advanceClock/,
    );
    // Random sequences end after a time, and the profile model has nothing else.
    expect(model).not.toContain("rate limit of");
  });

  test.each([
    [{}, "hooks.advanceClock is not configured"],
    [{ hooks: { advanceClock: () => {} } }, "hooks.advanceClock does not open a new window"],
    [{ hooks: { advanceClock: () => {} }, without: ["clock" as const] }, "the tag clock is left out"],
  ])("says why a run waits, and what makes it quicker: %o", (changes, why) => {
    const settings = { ...target.settings, profile: "core" as const, hooks: {}, ...changes };
    const text = rateLimitWait(settings, planOf(settings), { limit: 120, areOpened: false });
    expect(text).toContain("it takes at least 3 minutes, because it waits for new windows");
    expect(text).toContain(`${why}. Quicker: that hook`);
    const broken = { limit: 120, areOpened: false, failure: "hooks.advanceClock failed: it is down" };
    if (why.endsWith("new window"))
      expect(rateLimitWait(settings, planOf(settings), broken)).toContain(`${broken.failure}. Quicker`);
  });

  test("says nothing of a rate limit that no response reports: the run does not wait for it", () => {
    const settings = { ...target.settings, profile: "core" as const, hooks: {} };
    expect(rateLimitWait(settings, planOf(settings), { areOpened: false })).toBe("");
  });

  test("counts only the operations of the run", () => {
    const settings = { ...target.settings, profile: "core" as const, hooks: {} };
    const few = { ...settings, notImplemented: ["sendBatch", "getContact", "getEmail"] as const };
    const text = rateLimitWait(few, planOf(few), { limit: 120, areOpened: false });
    expect(text).toContain("at least 2 minutes");
  });
});
