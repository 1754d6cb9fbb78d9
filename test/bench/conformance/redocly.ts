import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generatedFolder, root } from "../../../scripts/common/paths.ts";
import { keysOfDemo } from "../../../scripts/contract/targets.ts";
import { runProgram } from "./program.ts";

const command = join(root, "node_modules/.bin/redocly");

export const redoclyVersion = async (): Promise<string> =>
  (await runProgram(command, ["--version"], { cwd: root, seconds: 60 })).trim().split("\n").at(-1) ?? "";

interface Step {
  stepId: string;
  workflowId: string;
  checks: { name: string; status: string }[];
}

interface RespectReport {
  files: Record<string, { executedWorkflows: { executedSteps: Step[] }[] }>;
}

type Operations = Record<string, { responses?: Record<string, unknown> }>;

/** The document with `2XX`, which Respect does not know, as the statuses that it stands for. */
async function documentForRespect(): Promise<string> {
  const document = JSON.parse(await readFile(join(generatedFolder, "openapi.json"), "utf8"));
  for (const operations of Object.values<Operations>(document.paths))
    for (const { responses = {} } of Object.values(operations)) {
      const { "2XX": success } = responses;
      if (success === undefined) continue;
      delete responses["2XX"];
      for (const status of [200, 201, 202, 203, 204]) responses[status] ??= success;
    }
  return JSON.stringify(document);
}

/** Runs the workflows of `respect.arazzo.yaml` once. @returns each failed check with its step */
export async function runRespect(url: string, seconds: number, folder: string): Promise<string[]> {
  const report = join(folder, "respect.json");
  await rm(report, { force: true });
  const workflows = "respect.arazzo.yaml";
  await copyFile(join(import.meta.dirname, workflows), join(folder, workflows));
  await writeFile(join(folder, "openapi.json"), await documentForRespect());
  const input = ["--input", `bearerAuth=${keysOfDemo().full}`, "--server", `openapi=${url}`];
  const printed = await runProgram(
    command,
    ["respect", workflows, ...input, "--json-output", "respect.json", "--max-fetch-timeout", "5000"],
    { cwd: folder, seconds },
  );
  const { files } = await reportIn<RespectReport>(report, printed);
  const steps = Object.values(files).flatMap(({ executedWorkflows }) =>
    executedWorkflows.flatMap(({ executedSteps }) => executedSteps),
  );
  return steps.flatMap(({ stepId, workflowId, checks }) =>
    checks.filter(({ status }) => status === "error").map(({ name }) => `${workflowId}/${stepId} ${name}`),
  );
}

interface DriftReport {
  problems: Problem[];
}

interface Problem {
  ruleId: string;
  operationId?: string;
  target: string;
  /** The JSON Pointer of the failed keyword, absent unless it is about a schema. */
  schemaPath?: string;
}

/** Compares recorded traffic with the document. @returns each kind of finding with its operation */
export async function runDrift(har: string, url: string, folder: string): Promise<string[]> {
  const report = join(folder, "drift.json");
  await rm(report, { force: true });
  const document = join(generatedFolder, "openapi.json");
  const printed = await runProgram(
    command,
    ["drift", har, "--api", document, "--server", url, "--format", "json", "--output", report],
    { cwd: folder, seconds: 60 },
  );
  const { problems } = await reportIn<DriftReport>(report, printed);
  return problems.map(({ ruleId, operationId = "no operation", target, schemaPath = "" }) =>
    [operationId, ruleId, target, schemaPath].join(" ").trim(),
  );
}

async function reportIn<Report>(file: string, printed: string): Promise<Report> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(`redocly wrote no report: ${printed.slice(-2000)}`);
  });
  return JSON.parse(text) as Report;
}
