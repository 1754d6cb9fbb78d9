import { expect, test } from "vitest";
import { planOf } from "../../contract/plan.ts";
import { demoSettings } from "../mutants/demo.ts";
import { falsePositivesOn } from "../mutants/variants/false-positives.ts";
import { additions } from "./server.ts";

test("the whole suite has no false positive on a server with all additions", async () => {
  const plan = planOf(demoSettings("full"));
  const { cases, falsePositives } = await falsePositivesOn(additions, plan);
  expect(falsePositives).toEqual([]);
  expect(cases).toBe(plan.concurrent.length + plan.sequential.length);
  expect(cases).toBeGreaterThan(1000);
});
