import { describe, expect, test } from "vitest";
import { usagesOf } from "../../scripts/diff/usage.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { isNode, type Node, nodeOf, textsOf } from "../../scripts/document/values.ts";
import { planOf } from "../contract/plan.ts";
import { runOnSandbox } from "../mutants/harness.ts";
import { demoSettings } from "../mutants/rig/demo.ts";
import { falsePositivesOn, planFor } from "../mutants/variants/false-positives.ts";
import { inObjects } from "../mutants/variants/variant.ts";
import { additions, additionsBut } from "./server.ts";

test("the whole suite finds nothing wrong with a server that has all additions", async () => {
  const plan = planOf(demoSettings("full"));
  const { trials, alarms } = await falsePositivesOn(additions, plan);
  expect(alarms).toEqual([]);
  expect(trials).toBe(plan.concurrent.length + plan.sequential.length);
  expect(trials).toBeGreaterThan(1000);
});

/** The fields that are in every answer of some form, by name. */
function promisedFields(document: Node): string[] {
  const isAnswer = (name: string): boolean =>
    usagesOf(document).get(`schemas/${name}`)?.directions.has("response") === true;
  const names = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(names);
    if (!isNode(value)) return [];
    const own = isNode(value.properties) ? textsOf(value.required ?? []) : [];
    return [...own, ...Object.values(value).flatMap(names)];
  };
  const schemas = Object.entries(nodeOf(nodeOf(document.components).schemas));
  return [...new Set(schemas.filter(([name]) => isAnswer(name)).flatMap(([, schema]) => names(schema)))];
}

const fields = promisedFields((await readBundle()) as unknown as Node);

describe("on that very server it notices that answers lack", () => {
  test("one of at least 30 fields", () => {
    expect(fields.length).toBeGreaterThan(30);
  });

  test.each(fields)("%s", async (field) => {
    let isNoticed = false;
    await runOnSandbox({
      plans: [planFor("core")],
      intercept: additionsBut((answer) => ({
        ...answer,
        body: inObjects(answer.body, ({ [field]: _, ...rest }) => rest),
      })),
      onOutcome: ({ verdict, responseChecks: wire }) => {
        isNoticed ||= verdict === "fail" || wire.some(({ failures: breaches }) => breaches.length > 0);
        return !isNoticed;
      },
    });
    expect(isNoticed).toBe(true);
  });
});
