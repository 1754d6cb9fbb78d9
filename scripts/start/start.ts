import { relative } from "node:path";
import { styleText } from "node:util";
import { Listr, type ListrTask } from "listr2";
import { count } from "../../lib/count.ts";
import type { FileChange } from "../../lib/files.ts";
import { plainTable } from "../../lib/table.ts";
import { UserError } from "../../lib/user-error.ts";
import type { ContractResult } from "../../test/contract/report/result.ts";
import { bundle } from "../bundle/bundle.ts";
import { generatedFolder, rootDocument } from "../common/paths.ts";
import type { Target, TargetName } from "../contract/targets.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { changeCounts, generate } from "../generate/generate.ts";
import type { Finding } from "../lint/finding.ts";
import { lint } from "../lint/lint.ts";
import { findingsText } from "../lint/text.ts";

/** What the steps of one run have found so far. */
interface Run {
  findings?: Finding[];
  document?: OpenApiDocument;
  changes?: FileChange[];
  target?: Target;
  /** Of the last server that the suite tested. */
  result?: ContractResult;
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
 * The command `start`: bundles and lints the document, generates everything from it, and runs the contract suite on the
 * mock and on the sandbox.
 *
 * @returns the exit code: 0 success, 1 a step failed, 3 a requirement was not verified
 * @throws UserError if a step could not run
 */
export async function start(): Promise<number> {
  const startedAt = performance.now();
  const run: Run = {};
  const failure: unknown = await new Listr(steps(run), { fallbackRenderer: "simple" })
    .run()
    .catch((error: unknown) => error)
    .finally(() => run.target?.close());
  const failed = failure instanceof StepFailed;
  if (failure instanceof Error && !failed) throw failure.cause instanceof UserError ? failure.cause : failure;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const verdict = failed ? styleText("red", "Failed") : styleText("green", "Passed");
  console.log(`\n${await report(run)}\n\n${verdict} in ${seconds} s.${failed ? "" : `\n\n${nextSteps}`}`);
  return failed ? failure.exitCode : 0;
}

const steps = (run: Run): ListrTask[] => [
  step("Bundle", async () => {
    run.document = await bundle();
    return count(Object.keys(run.document.paths).length, "path");
  }),
  step("Lint the document", async () => {
    run.findings = await lint(rootDocument, run.document);
    if (run.findings.length > 0)
      throw new StepFailed(`Lint the document: ${count(run.findings.length, "finding")}`);
    return "no findings";
  }),
  step("Generate", async () => {
    run.changes = await generate(run);
    const changed = run.changes.filter(({ status }) => status !== "unchanged");
    return [changeCounts(run.changes), ...changed.map(({ file, status }) => `    ${status} ${file}`)].join(
      "\n",
    );
  }),
  ...(["mock", "sandbox"] as const).flatMap((name) => contractSteps(run, name)),
];

/** Starts a server and runs the suite on it. */
function contractSteps(run: Run, name: TargetName): ListrTask[] {
  const title = `Test the ${name}`;
  return [
    step(`Start the ${name}`, async () => {
      // Imported here, because it includes files that were just generated.
      const { startTarget } = await import("../contract/targets.ts");
      run.target = await startTarget(name);
      return run.target.settings.baseUrl;
    }),
    step(title, async (report) => {
      const { runContract } = await import("../contract/contract.ts");
      const { settings, close } = run.target as Target;
      const onProgress = (done: number, total: number): void => report(`${done} of ${total} test cases`);
      run.result = await runContract({ settings, onProgress });
      await close();
      const { counts, exitCode } = run.result;
      const passed = `${counts.pass} of ${run.result.requirements.length} requirements pass`;
      if (exitCode === 0) return passed;
      throw new StepFailed(`${title}: ${passed}`, exitCode);
    }),
  ];
}

/** A step whose line ends with its outcome. Progress is shown on a terminal only. */
function step(title: string, work: (report: (progress: string) => void) => Promise<string>): ListrTask {
  return {
    title,
    task: async (_context, task) => {
      const outcome = await work((progress) => {
        if (process.stdout.isTTY) task.output = progress;
      }).catch((cause: unknown) => {
        // The command line prints the reason once; the line of the step does not repeat it.
        throw cause instanceof UserError ? new Error(`${title}: did not run`, { cause }) : cause;
      });
      task.title = `${title}: ${outcome}`;
    },
  };
}

async function report(run: Run): Promise<string> {
  if (run.findings !== undefined && run.findings.length > 0) return findingsText(run.findings);
  if (run.result === undefined) return "";
  const { consoleText } = await import("../../test/contract/report/console.ts");
  const { compactTable } = await import("../../test/contract/report/table.ts");
  const text = run.result.exitCode === 0 ? compactTable(run.result) : consoleText(run.result);
  return `${text}\n\n${outputs()}`;
}

const outputs = (): string => {
  const folder = relative(process.cwd(), generatedFolder) || ".";
  return plainTable({
    head: ["Output", "File"],
    widths: [28, 50],
    rows: [
      ["Document in one file", `${folder}/openapi.json, openapi.yaml`],
      ["Types and data", `${folder}/*.ts`],
      ["Validators", `${folder}/validators/`],
      ["Requirements and checks", `${folder}/trace.md`],
    ],
  });
};

const nextSteps = [
  "Next:",
  "  npm run sandbox                              run the service on this machine",
  "  npm run contract -- --base-url URL           test your server",
  "  npm run docs -- --serve                      read the reference",
].join("\n");
