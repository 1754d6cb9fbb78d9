import { expect, it } from "vitest";
import { Observer } from "../../contract/observe/observer.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { planOf } from "../../contract/plan.ts";
import { demoSettings } from "../mutants/demo.ts";
import { runOnSandbox } from "../mutants/harness.ts";
import { clientTraffic } from "./client-traffic.ts";
import { failuresOf, observed, withAll, withConfiguration } from "./samples.ts";

it("500 random sequences on a correct server show no failure", async () => {
  const sequences = { sequences: 125, seconds: 100_000, seed: 1, shorten: false, failures: 1000 };
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
      for (const observer of observers) observer.forget();
    },
  });
  for (const observer of observers) {
    observer.end();
    expect(observer.exchanges).toBeGreaterThan(100);
    expect(failuresOf(observer)).toEqual([]);
  }
});
