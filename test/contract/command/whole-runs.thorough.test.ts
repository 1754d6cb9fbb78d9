import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planOf } from "../../../contract/plan.ts";
import { readReport } from "../../../contract/report/json.ts";
import { termsOf } from "../../../contract/selection.ts";
import { requirementsOf } from "../../../contract/verifiable.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import { shows } from "../../mutants/mutant.ts";
import { failedRequirements } from "../../mutants/mutate/killed.ts";
import { runHere } from "../../scripts/run-here.ts";
import { folderWith } from "../config/folder.ts";

test("a run of core on the sandbox is published with its level, and compared", async () => {
  const file = join(folderWith(), "report.json");
  const badge = `${file}.svg`;
  const words = ["--target", "sandbox", "--profile", "core", "--publish", file, "--level-badge", badge];
  const { status, out } = await runHere("contract", ...words);
  expect(status).toBe(0);
  expect(out).toMatch(/^Levels: Core passed\. Full not passed/m);
  expect(await readFile(badge, "utf8")).toContain("Contract of email-api-contract sandbox");
  expect(readReport(file).implementation?.name).toBe("email-api-contract sandbox");
  const matrix = await runHere("matrix", file, "--html", `${file}.html`);
  expect(matrix.out).toMatch(/^email-api-contract sandbox \d+\.\d+\.\d+: Core$/m);
  expect((await runHere("compare", file, file)).status).toBe(0);
});

describe("--grep of a requirement that only responses show", () => {
  test("sends the whole profile, and reports that requirement alone", async () => {
    const { status, out } = await runHere(
      "contract",
      "--target",
      "sandbox",
      "--profile",
      "core",
      "--grep",
      "head-1",
    );
    expect(out).toMatch(/- HEAD-1 pass: Every response has the header/);
    expect(out).toContain("1 of 1 requirement pass.");
    expect(status).toBe(0);
  });

  test("fails it if a response does not show it, and nothing else that fails", async () => {
    const { intercept } = shows("HEAD-1", "", (response, { method }) => {
      const { "x-service-request-id": _, ...headers } = response.headers;
      if (method === "GET") return { ...response, headers };
      return method === "PATCH" ? { ...response, status: 500 } : undefined;
    });
    const settings = demoSettings("core");
    const outcomes = await runOnSandbox({
      settings,
      plans: [planOf(settings, termsOf("HEAD-1"))],
      intercept,
    });
    const planned = requirementsOf(settings, planOf(settings, termsOf("HEAD-1")), termsOf("HEAD-1"));
    expect([...failedRequirements(outcomes)].filter((id) => planned.has(id))).toEqual(["HEAD-1"]);
  });
});
