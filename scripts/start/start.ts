import { execFile } from "node:child_process";
import { join, relative } from "node:path";
import { promisify, styleText } from "node:util";
import { Listr, type ListrTask } from "listr2";
import type { ContractResult } from "../../contract/report/result.ts";
import { printLine } from "../../lib/print.ts";
import { count } from "../../lib/text.ts";
import { UserError } from "../../lib/user-error.ts";
import { generatedFolder, root } from "../common/paths.ts";
import type { Target, TargetName } from "../contract/targets.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { type Finding, findingsText } from "../lint/finding.ts";
import type { Mock } from "../mock/prism.ts";

/** What the steps of one run have found so far. */
interface Run {
  document?: OpenApiDocument;
  findings?: Finding[];
  /** Prism, which starts while files are generated. */
  mock?: Promise<Mock>;
  targets: Target[];
  /** The result of the sandbox, or of the first server that failed. */
  result?: ContractResult;
  failure?: unknown;
}

/** A step ran, and what it checked failed. The report gives the details. */
class StepFailed extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The command `start`: bundles the document; lints it while everything is generated from it and the contract suite runs on
 * the mock, and its profile core on the sandbox.
 * @returns the exit code: 0 success, 1 a step failed, 3 a requirement was not verified
 * @throws UserError if a step could not run
 */
export async function start(): Promise<number> {
  const startedAt = performance.now();
  const run: Run = { targets: [] };
  try {
    await new Listr(steps(run), { fallbackRenderer: "simple" }).run();
  } catch {
    // Each step records its error in run.failure.
  } finally {
    await Promise.all(run.targets.map(({ close }) => close()));
    await run.mock?.then(({ close }) => close()).catch(() => {});
  }
  const { failure } = run;
  if (failure !== undefined && !(failure instanceof StepFailed)) throw failure;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const verdict = failure ? styleText("red", "Failed") : styleText("green", "Passed");
  printLine(`\n${await report(run)}\n\n${verdict} in ${seconds} s.${failure ? "" : `\n\n${nextSteps}`}`);
  return failure?.exitCode ?? 0;
}

// Steps load their code when they run, so that the first one starts at once.
const steps = (run: Run): ListrTask[] => [
  step(run, "Bundle", async () => {
    const { bundle } = await import("../bundle/bundle.ts");
    run.document = await bundle();
    const { startMock } = await import("../mock/prism.ts");
    run.mock = startMock({ document: run.document });
    // The step that uses it reports the error.
    run.mock.catch(() => {});
    return count(Object.keys(run.document.paths).length, "path");
  }),
  {
    title: "Lint, generate and test",
    task: (_context, task) =>
      // All run to their end, so that no server is closed during a test.
      task.newListr([lintStep(run), generateAndTest(run)], { concurrent: true, exitOnError: false }),
  },
];

/** Lints in a process of its own, which takes the second core. */
const lintStep = (run: Run): ListrTask =>
  step(run, "Lint the document", async () => {
    run.findings = await lintInProcess();
    if (run.findings.length === 0) return "no findings";
    throw new StepFailed(`Lint the document: ${count(run.findings.length, "finding")}`);
  });

async function lintInProcess(): Promise<Finding[]> {
  const args = [join(root, "scripts/cli.ts"), "lint", "--format", "json"];
  const running = promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 100 * 1024 * 1024 });
  const { stdout } = await running.catch((error) => {
    // The exit code is 1 with findings.
    if (error.code === 1 && error.stdout !== "") return error;
    throw new Error(error.stderr.trim() || error.message);
  });
  return JSON.parse(stdout);
}

const generateAndTest = (run: Run): ListrTask => ({
  title: "Generate and test",
  task: (_context, task) =>
    task.newListr([
      step(run, "Generate", async () => {
        const { changeCounts, generate } = await import("../generate/generate.ts");
        const changes = await generate({ document: run.document as OpenApiDocument });
        const changed = changes.filter(({ status }) => status !== "unchanged");
        return [changeCounts(changes), ...changed.map(({ file, status }) => `    ${status} ${file}`)].join(
          "\n",
        );
      }),
      {
        title: "Run the contract suite",
        task: (_inner, suite) =>
          suite.newListr([testStep(run, "mock"), testStep(run, "sandbox")], {
            concurrent: true,
            exitOnError: false,
          }),
      },
    ]),
});

const testStep = (run: Run, name: TargetName): ListrTask => {
  const title = `Test the ${name}`;
  return step(run, title, async (showProgress) => {
    // Imported here, because it includes files that were just generated.
    const { startTarget } = await import("../contract/targets.ts");
    const { runContract } = await import("../contract/contract.ts");
    const target = await startTarget(name, { mock: await run.mock, profile: "core", hasMail: true });
    run.targets.push(target);
    const onProgress = (done: number, total: number): void => showProgress(`${done} of ${total} test cases`);
    const { settings, mailbox } = target;
    const result = await runContract({ settings, mailbox, onProgress });
    const passed = `${result.counts.pass} of ${result.requirements.length} requirements pass`;
    if (name === "sandbox" || result.exitCode !== 0) run.result ??= result;
    if (result.exitCode !== 0) throw new StepFailed(`${title}: ${passed}`, result.exitCode);
    return passed;
  });
};

/** A step whose line ends with its outcome. Progress is shown on a terminal only. */
const step = (
  run: Run,
  title: string,
  work: (showProgress: (progress: string) => void) => Promise<string>,
): ListrTask => ({
  title,
  task: async (_context, task) => {
    const outcome = await work((progress) => {
      if (process.stdout.isTTY) task.output = progress;
    }).catch((error: unknown) => {
      run.failure ??= error;
      // The command line prints the reason once; the line of the step does not repeat it.
      throw error instanceof UserError ? new Error(`${title}: did not run`) : error;
    });
    task.title = `${title}: ${outcome}`;
  },
});

async function report(run: Run): Promise<string> {
  if (run.findings !== undefined && run.findings.length > 0) return findingsText(run.findings);
  if (run.result === undefined) return "";
  const { consoleText } = await import("../../contract/report/console.ts");
  return consoleText(run.result);
}

const nextSteps = [
  `Generated: the document, types, validators and the trace in ${relative(process.cwd(), generatedFolder) || "."}/.`,
  "",
  "Next:",
  "  npm run sandbox                              run the service on this machine",
  "  npm run contract -- --base-url URL           test your server",
  "  npm run docs -- --serve                      read the reference",
].join("\n");
