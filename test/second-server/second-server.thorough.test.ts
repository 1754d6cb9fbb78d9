import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CaseOutcome } from "../../contract/engine/outcome.ts";
import { Run } from "../../contract/engine/run.ts";
import { planOf, runPlan } from "../../contract/plan.ts";
import { type SecondServer, startSecondServer } from "./second-server.ts";
import { secondServerSettings } from "./settings.ts";

describe("the suite on a server that is independent of the sandbox", () => {
  let server: SecondServer;
  let outcomes: CaseOutcome[];
  beforeAll(async () => {
    server = await startSecondServer({ requestsPerMinute: 100_000 });
    const settings = secondServerSettings(server.url);
    const run = new Run({ settings });
    outcomes = await runPlan(run, planOf(settings));
  }, 240_000);
  afterAll(() => server.close());

  it("passes every test case", () => {
    const others = outcomes.filter(({ verdict }) => verdict !== "pass");
    expect(
      others.map(
        ({ verdict, ids, check, title, reason, failure }) =>
          `${verdict}: ${ids.join(" ")} ${check} (${title}): ${reason ?? `expected ${failure?.expected}, found ${failure?.found}`}`,
      ),
    ).toEqual([]);
  });

  it("passes every response check", () => {
    const failed = outcomes.flatMap(({ responseChecks }) =>
      responseChecks.filter(({ failures }) => failures.length > 0),
    );
    expect(
      failed.map(({ ids, title, failures }) => `${ids.join(" ")} ${title}: found ${failures[0]?.found}`),
    ).toEqual([]);
  });
});
