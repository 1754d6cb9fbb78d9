import { describe, expect, test } from "vitest";
import { planOf } from "../../contract/plan.ts";
import { usagesOf } from "../../scripts/diff/usage.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { isNode, type Node, nodeOf, textsOf } from "../../scripts/document/values.ts";
import { demoSettings } from "../mutants/demo.ts";
import { runOnSandbox } from "../mutants/harness.ts";
import { falsePositivesOn, planFor } from "../mutants/variants/false-positives.ts";
import { inObjects } from "../mutants/variants/variant.ts";
import { additions, additionsBut } from "./server.ts";

test("the whole suite has no false positive on a server with all additions", async () => {
  const plan = planOf(demoSettings("full"));
  const { cases, falsePositives } = await falsePositivesOn(additions, plan);
  expect(falsePositives).toEqual([]);
  expect(cases).toBe(plan.concurrent.length + plan.sequential.length);
  expect(cases).toBeGreaterThan(1000);
});

/** The names of all required properties of responses. */
function requiredProperties(document: Node): string[] {
  const isResponse = (name: string): boolean =>
    usagesOf(document).get(`schemas/${name}`)?.directions.has("response") === true;
  const names = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(names);
    if (!isNode(value)) return [];
    const own = isNode(value.properties) ? textsOf(value.required ?? []) : [];
    return [...own, ...Object.values(value).flatMap(names)];
  };
  const schemas = Object.entries(nodeOf(nodeOf(document.components).schemas));
  return [...new Set(schemas.filter(([name]) => isResponse(name)).flatMap(([, schema]) => names(schema)))];
}

const fields = requiredProperties((await readBundle()) as unknown as Node);

describe("the suite fails on the same server without", () => {
  test("one of at least 30 properties", () => {
    expect(fields.length).toBeGreaterThan(30);
  });

  test.each(fields)("%s", async (field) => {
    let hasFailed = false;
    await runOnSandbox({
      plans: [planFor("core")],
      intercept: additionsBut((response) => ({
        ...response,
        body: inObjects(response.body, ({ [field]: _, ...rest }) => rest),
      })),
      onOutcome: ({ verdict, responseChecks }) => {
        hasFailed ||= verdict === "fail" || responseChecks.some(({ failures }) => failures.length > 0);
        return !hasFailed;
      },
    });
    expect(hasFailed).toBe(true);
  });
});
