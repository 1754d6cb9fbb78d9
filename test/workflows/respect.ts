import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { root } from "../../scripts/common/paths.ts";
import { keysOfDemo } from "../../scripts/contract/targets.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { readWorkflows, workflowFiles, workflowPath } from "../../scripts/document/workflows.ts";
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

/** Writes the files of the workflows as the site has them, with shorter pauses. */
export async function writeWorkflows(folder: string): Promise<void> {
  for (const [path, text] of workflowFiles(await readBundle())) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text.replaceAll(/(?<=retryAfter: )\d+/g, "1"));
  }
}

/**
 * Runs workflows with Respect. While it waits for a confirmation, the contact confirms; the clock moves before the
 * workflow that needs a later time.
 * @returns each failed check with its workflow and step
 */
export async function runWorkflows({ url, folder, names, seconds = 60 }: WorkflowRun): Promise<string[]> {
  const listed = readWorkflows().filter(({ name }) => names?.includes(name) ?? true);
  await writeWorkflows(folder);
  const later = listed.filter(({ workflows }) =>
    workflows.some(({ workflowId }) => workflowId === afterwards),
  );
  const end = performance.now() + seconds * 1000;
  const run = (files: typeof listed, ...choice: string[]): Promise<string[]> =>
    respect(
      files.map(({ name }) => workflowPath(name)),
      { url, folder, seconds: Math.max(1, (end - performance.now()) / 1000), choice },
    );
  const found = await whileConfirming(url, () => run(listed, "--skip", afterwards));
  if (later.length === 0) return found;
  await control(url, "clock", { advance: "P4D" });
  return [...found, ...(await run(later, "--workflow", afterwards))];
}

/** The workflow that runs when the old key has stopped. */
const afterwards = "after-rotation";

/** What the workflows are given: keys of the demo accounts, and the examples of all else. */
function inputs(): Record<string, string> {
  const { full = "", replaced = "" } = keysOfDemo();
  const keys = { apiKey: full, newKey: full, oldKey: replaced };
  const all = readWorkflows().flatMap(({ workflows }) =>
    workflows.flatMap(({ inputs: { properties } }) => Object.entries(properties)),
  );
  const examples = all.flatMap(([name, { examples = [] }]) => examples.map((value) => [name, String(value)]));
  return { ...Object.fromEntries(examples), ...keys };
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
  const given = Object.entries(inputs());
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

/** While the work is done, confirms the membership that is pending, as the person would, once there is one. */
async function whileConfirming<T>(url: string, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const confirming = confirm(url, over.signal);
  const result = await work().finally(() => over.abort());
  await confirming;
  return result;
}

async function confirm(url: string, over: AbortSignal): Promise<void> {
  const { email, optInListId } = inputs();
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
