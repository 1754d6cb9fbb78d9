import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { generatedFolder, root } from "../../scripts/common/paths.ts";
import { keysOfDemo } from "../../scripts/contract/targets.ts";
import { readWorkflows, workflowPath } from "../../scripts/document/workflows.ts";
import { runProgram } from "../run-program.ts";

export const redocly = join(root, "node_modules/.bin/redocly");

interface WorkflowRun {
  /** A server with the demo accounts and the control API. */
  url: string;
  /** For temporary files. */
  folder: string;
  /** The files to run, without their endings; default: all. */
  names?: readonly string[];
  /** For all. */
  seconds?: number;
}

/**
 * Runs workflows with Respect. While it waits for a confirmation, the contact confirms; the clock moves before the
 * workflow that needs a later time.
 * @returns each failed check with its workflow and step
 */
export async function runWorkflows({ url, folder, names, seconds = 60 }: WorkflowRun): Promise<string[]> {
  const listed = readWorkflows().filter(({ name }) => names?.includes(name) ?? true);
  await mkdir(join(folder, "openapi/workflows"), { recursive: true });
  await mkdir(join(folder, "generated"), { recursive: true });
  for (const { name, file } of listed) await copyFile(file, join(folder, "openapi", workflowPath(name)));
  await writeFile(join(folder, "generated/openapi.json"), await documentForRespect());
  const later = listed.filter(({ workflows }) =>
    workflows.some(({ workflowId }) => workflowId === afterwards),
  );
  const end = performance.now() + seconds * 1000;
  const run = (files: typeof listed, ...choice: string[]): Promise<string[]> =>
    respect(
      files.map(({ name }) => join("openapi", workflowPath(name))),
      { url, folder, seconds: Math.max(1, (end - performance.now()) / 1000), choice },
    );
  const over = new AbortController();
  const confirming = confirm(url, over.signal);
  const found = await run(listed, "--skip", afterwards).finally(() => over.abort());
  await confirming;
  if (later.length === 0) return found;
  await control(url, "clock", { advance: "P4D" });
  return [...found, ...(await run(later, "--workflow", afterwards))];
}

/** The workflow that runs when the old key has stopped. */
const afterwards = "after-rotation";

const day = 24 * 3_600_000;

/** What the workflows are given: values of the demo accounts. */
function inputs(now: number): Record<string, string> {
  const { full = "", replaced = "" } = keysOfDemo();
  return {
    ...{ apiKey: full, newKey: full, oldKey: replaced },
    ...{ from: "hello@bakery.example", to: "success@simulator.example", orderId: "1042" },
    ...{ sendAt: new Date(now + day).toISOString(), moveTo: new Date(now + 2 * day).toISOString() },
    ...{ email: "wilma@readers.example", optInListId: "1", listId: "2", otherListId: "3" },
  };
}

interface RespectOptions {
  url: string;
  folder: string;
  seconds: number;
  choice: string[];
}

async function respect(
  files: readonly string[],
  { url, folder, seconds, choice }: RespectOptions,
): Promise<string[]> {
  const report = join(folder, "respect.json");
  await rm(report, { force: true });
  const { now } = (await control(url, "clock")) as { now: string };
  const given = Object.entries(inputs(Date.parse(now)));
  const printed = await runProgram(
    redocly,
    [
      ...["respect", ...files, ...choice, "--server", `api=${url}`, "--json-output", "respect.json"],
      ...given.flatMap(([name, value]) => ["--input", `${name}=${value}`]),
      ...["--max-fetch-timeout", "5000"],
    ],
    { cwd: folder, seconds },
  );
  const text = await readFile(report, "utf8").catch(() => {
    throw new Error(`redocly wrote no report: ${printed.slice(-2000)}`);
  });
  const { files: ran } = JSON.parse(text) as RespectReport;
  const steps = Object.values(ran).flatMap(({ executedWorkflows }) =>
    executedWorkflows.flatMap(({ executedSteps }) => executedSteps),
  );
  // A step that is repeated until it passes is reported once for each time.
  const last = new Map(steps.map((step) => [`${step.workflowId}/${step.stepId}`, step]));
  return [...last].flatMap(([name, { checks }]) =>
    checks.filter(({ status }) => status === "error").map((check) => `${name} ${check.name}`),
  );
}

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

/** Confirms the membership that is pending, as the person would, once there is one. */
async function confirm(url: string, over: AbortSignal): Promise<void> {
  const { email, optInListId } = inputs(0);
  while (!over.aborted) {
    const isDone = await control(url, "confirm", { email, list_id: Number(optInListId) }).then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await wait(100);
  }
}

/** @throws Error if the control API rejects it */
async function control(url: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/sandbox/${path}`, {
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
