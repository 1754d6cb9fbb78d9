import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { planOf } from "../../contract/plan.ts";
import { consoleText } from "../../contract/report/console.ts";
import { htmlReport } from "../../contract/report/html.ts";
import { junitReport } from "../../contract/report/junit.ts";
import { markdownReport } from "../../contract/report/markdown.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import { changeResponses } from "../../mutants/mutant.ts";
import { demoSettings } from "../../mutants/rig/demo.ts";
import { resultOf } from "./samples.ts";

/** The record of a canceled message shows another status. */
const forgetful = changeResponses(
  "SCHED-13",
  "a canceled message has the status sent",
  ({ body, ...response }, { method }) => {
    const { status } = (body ?? {}) as { status?: string };
    return method === "GET" && status === "canceled"
      ? { ...response, body: { ...(body as object), status: "sent" } }
      : { ...response, body };
  },
);

async function resultWith(sequences: { seed: number; sequences?: number }): Promise<ContractResult> {
  const settings = { ...demoSettings("model"), sequences };
  const plan = planOf(settings);
  const sequential = plan.sequential.filter(({ check }) => /email requests have/.test(check.title));
  const outcomes = await runOnSandbox({
    settings,
    plans: [{ ...plan, sequential }],
    intercept: forgetful.intercept,
  });
  return resultOf(outcomes, []);
}

const failureIn = ({ checks }: ContractResult) =>
  checks.flatMap(({ cases }) => cases.filter(({ verdict }) => verdict === "fail"))[0];

describe("a random sequence that fails", () => {
  let result: ContractResult;
  beforeAll(async () => {
    result = await resultWith({ seed: 1 });
  });

  test("has its requests in order, and the seed", () => {
    const { exchanges = [], failure } = failureIn(result) ?? {};
    expect(failure?.seed).toBeGreaterThan(0);
    // Later ones belong to other failures.
    const methods = exchanges.slice(0, (failure?.exchange ?? 0) + 1).map(({ method }) => method);
    expect(methods).toEqual(["POST", "GET", "DELETE", "GET"]);
  });

  test("fails again with the seed alone", async () => {
    const seed = failureIn(result)?.failure?.seed ?? 0;
    const again = failureIn(await resultWith({ seed, sequences: 1 }));
    expect(again?.failure).toMatchObject({ expected: failureIn(result)?.failure?.expected, seed });
  });

  test("is shown with all requests and the command in every report", () => {
    const seed = failureIn(result)?.failure?.seed;
    const command = `npx email-api-contract contract --profile model --grep email.requests.have --seed ${seed} --sequences 1`;
    const text = stripVTControlCharacters(consoleText(result));
    for (const report of [text, junitReport(result), markdownReport(result), htmlReport(result)]) {
      expect(report).toContain(command);
      expect(report.indexOf("-X DELETE")).toBeGreaterThan(report.indexOf("-X POST"));
    }
    const lines = text.split("\n").filter((line) => !/^ {2}(npx|curl| {2}-)/.test(line));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});
