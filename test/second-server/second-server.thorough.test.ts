import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hooksOf } from "../contract/engine/hooks.ts";
import type { CaseOutcome } from "../contract/engine/outcome.ts";
import { Run } from "../contract/engine/run.ts";
import { runPlan } from "../contract/engine/run-plan.ts";
import { planOf } from "../contract/plan.ts";
import { type SecondServer, startSecondServer } from "./second-server.ts";
import { secondServerSettings } from "./settings.ts";

describe("the suite on a server that was built apart from the sandbox", () => {
  let server: SecondServer;
  let outcomes: CaseOutcome[];
  beforeAll(async () => {
    server = await startSecondServer({ requestsPerMinute: 100_000 });
    const settings = secondServerSettings(server.url);
    const run = new Run({ settings, hooks: await hooksOf(settings) });
    outcomes = await runPlan(run, planOf(settings));
  }, 240_000);
  afterAll(() => server.close());

  it("passes in every trial", () => {
    const others = outcomes.filter(({ verdict }) => verdict !== "pass");
    expect(
      others.map(
        ({ verdict, ids, check: law, title, reason, failure: breach }) =>
          `${verdict}: ${ids.join(" ")} ${law} (${title}): ${reason ?? `expected ${breach?.expected}, found ${breach?.found}`}`,
      ),
    ).toEqual([]);
  });

  it("finds every law of the wire kept", () => {
    const broken = outcomes.flatMap(({ responseChecks: wire }) =>
      wire.filter(({ failures: breaches }) => breaches.length > 0),
    );
    expect(
      broken.map(
        ({ ids, title: law, failures: breaches }) => `${ids.join(" ")} ${law}: found ${breaches[0]?.found}`,
      ),
    ).toEqual([]);
  });
});
