import { beforeAll, describe, expect, it } from "vitest";
import { decidableRequirements } from "../../contract/observe/observe-result.ts";
import { Observer } from "../../contract/observe/observer.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { planOf } from "../../contract/plan.ts";
import { demoSettings } from "../mutants/demo.ts";
import { runOnSandbox } from "../mutants/harness.ts";
import { clientTraffic } from "./kills.ts";
import {
  failuresOf,
  missingAfter,
  observed,
  shuffled,
  suiteTraffic,
  withAll,
  withConfiguration,
} from "./samples.ts";

describe("the traffic of the suite on a correct server", () => {
  let traffic: ObservedExchange[];
  let informed: Observer;
  beforeAll(async () => {
    traffic = await suiteTraffic();
    informed = observed(traffic, withAll);
  });

  it("shows no failure to an observer that knows its configuration and all traffic", () => {
    expect(failuresOf(informed)).toEqual([]);
  });

  it.each([
    ["its configuration", withConfiguration],
    ["nothing", {}],
  ])("shows no failure to an observer that knows %s", (_, options) => {
    expect(failuresOf(observed(traffic, options))).toEqual([]);
  });

  it("shows no failure in another order", () => {
    const observer = observed(shuffled(traffic), withAll);
    expect(failuresOf(observer)).toEqual([]);
    expect(observer.tally.passes.get("IDEM-1")).toBeGreaterThan(0);
  });

  it("shows only single exchanges if it is too far out of order", () => {
    const observer = observed(shuffled(traffic), { ...withAll, held: 100 });
    expect(failuresOf(observer)).toEqual([]);
    expect(observer.counts.late).toBeGreaterThan(0);
    expect(observer.tally.passes.has("IDEM-1")).toBe(false);
    expect(observer.tally.passes.has("HEAD-1")).toBe(true);
  });

  it("shows no failure without times, and what single exchanges show", () => {
    const observer = observed(
      traffic.map((one) => ({ ...one, startedAt: undefined })),
      withAll,
    );
    expect(failuresOf(observer)).toEqual([]);
    expect(observer.tally.passes.has("IDEM-1")).toBe(false);
    expect(observer.counts.incomplete).toBe(traffic.length);
  });

  it("decides at least 120 requirements, which are recorded", () => {
    const remedy = "measure again: npm run renew";
    expect([...informed.tally.passes.keys()].sort(), remedy).toEqual(decidableRequirements.toSorted());
    expect(decidableRequirements.length).toBeGreaterThanOrEqual(120);
  });

  it("covers all but what needs very large messages, or a rate limit for each operation", () => {
    const { operations, statuses, errors, parameters, properties, limits } = missingAfter(traffic);
    expect({ operations, parameters, properties, limits }).toEqual({
      ...{ operations: [], parameters: [], properties: [], limits: [] },
    });
    const others = [...(statuses ?? []), ...(errors ?? [])];
    expect(others.filter((label) => !/ (413|429)( |$)/.test(label))).toEqual([]);
  });
});

it("200 random sequences on a correct server show no failure", async () => {
  const sequences = { sequences: 50, seconds: 100_000, seed: 1, shorten: false, failures: 1000 };
  const settings = { ...demoSettings("model"), sequences };
  const traffic: ObservedExchange[] = [];
  await runOnSandbox({
    plans: [planOf(settings)],
    settings,
    onExchange: (exchange) => traffic.push(exchange),
  });
  for (const options of [withAll, withConfiguration, {}])
    expect(failuresOf(observed(traffic, options))).toEqual([]);
});

it("the client suite on a correct server shows no failure", async () => {
  const observers = [withAll, withConfiguration, {}].map((options) => new Observer(options));
  await clientTraffic({
    title: "the sandbox",
    onExchange: (exchange) => {
      for (const observer of observers) observer.add(exchange);
    },
    onReset: () => {
      for (const observer of observers) observer.forget(true);
    },
  });
  for (const observer of observers) {
    observer.end();
    expect(observer.counts.exchanges).toBeGreaterThan(100);
    expect(failuresOf(observer)).toEqual([]);
  }
});
