import { relative } from "node:path";
import { styleText } from "node:util";
import { Listr, type ListrTask } from "listr2";
import type { FileChange } from "../lib/files.ts";
import { plainTable } from "../lib/table.ts";
import { UserError } from "../lib/user-error.ts";
import type { ContractResult } from "../test/contract/report/result.ts";
import { bundle } from "./bundle.ts";
import type { Target, TargetName } from "./contract/targets.ts";
import type { OpenApiDocument } from "./document/types.ts";
import { changeCounts, generate } from "./generate.ts";
import type { Finding } from "./lint/finding.ts";
import { findingsText } from "./lint/text.ts";
import { lint } from "./lint.ts";
import { generatedFolder } from "./paths.ts";

/** What the steps of one run have found so far. */
interface Run {
  findings?: Finding[];
  document?: OpenApiDocument;
  changes?: FileChange[];
  target?: Target;
  /** Of the last server that the suite ran on. */
  result?: ContractResult;
}

/** A step did its work and what it checked does not hold: the report says the rest. */
class Broken extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The main job: lints the document, makes everything from it, runs the contract suite on the mock and on the sandbox, and
 * says what held. It ends by itself.
 *
 * @returns the exit status: 0 only if all of it held, 1 if something is broken, 3 if the suite could not tell
 * @throws Failure where a step could not be done at all
 */
export async function start(): Promise<number> {
  const began = performance.now();
  const run: Run = {};
  const failure: unknown = await new Listr(steps(run), { fallbackRenderer: "simple" })
    .run()
    .catch((error: unknown) => error)
    .finally(() => run.target?.close());
  const broken = failure instanceof Broken;
  if (failure instanceof Error && !broken) throw failure.cause instanceof UserError ? failure.cause : failure;
  console.log(`\n${await report(run)}\n\n${verdict(!broken, performance.now() - began)}`);
  return broken ? failure.exitCode : 0;
}

const steps = (run: Run): ListrTask[] => [
  step("Lint the document", async () => {
    run.findings = await lint();
    if (run.findings.length > 0) throw new Broken(`Lint the document: ${run.findings.length} findings`);
    return "nothing found";
  }),
  step("Bundle it", async () => {
    run.document = await bundle();
    return `${Object.keys(run.document.paths).length} addresses`;
  }),
  step("Generate everything", async () => {
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
  const title = `Run the contract suite on the ${name}`;
  return [
    step(`Start the ${name}`, async () => {
      // Loaded now: what it is made of has just been generated.
      const { startTarget } = await import("./contract/targets.ts");
      run.target = await startTarget(name);
      return run.target.settings.baseUrl;
    }),
    step(title, async (tell) => {
      const { runContract } = await import("./contract.ts");
      const { settings, close } = run.target as Target;
      const onProgress = (done: number, total: number): void => tell(`${done} of ${total} cases`);
      run.result = await runContract({ settings, onProgress });
      await close();
      const { counts, exitCode } = run.result;
      const held = `${counts.pass} of ${run.result.requirements.length} promises hold`;
      if (exitCode === 0) return held;
      throw new Broken(`${title}: ${held}`, exitCode);
    }),
  ];
}

/** A step whose line says, once it is done, what came of it. Progress is told on a terminal only. */
function step(title: string, work: (tell: (progress: string) => void) => Promise<string>): ListrTask {
  return {
    title,
    task: async (_context, task) => {
      const outcome = await work((progress) => {
        if (process.stdout.isTTY) task.output = progress;
      }).catch((cause: unknown) => {
        // Why it failed is told once, by the command line, and not in the line of the step too.
        throw cause instanceof UserError ? new Error(`${title}: not done`, { cause }) : cause;
      });
      task.title = `${title}: ${outcome}`;
    },
  };
}

async function report(run: Run): Promise<string> {
  if (run.findings !== undefined && run.findings.length > 0) return findingsText(run.findings);
  if (run.result === undefined) return "";
  const { consoleText } = await import("../test/contract/report/console.ts");
  const { tableInShort } = await import("../test/contract/report/table.ts");
  const text = run.result.exitCode === 0 ? tableInShort(run.result) : consoleText(run.result);
  return `${text}\n\n${outputs()}`;
}

const outputs = (): string => {
  const folder = relative(process.cwd(), generatedFolder) || ".";
  return plainTable({
    head: ["Output", "Where"],
    widths: [28, 50],
    rows: [
      ["Document, in one file", `${folder}/openapi.json, openapi.yaml`],
      ["Types and data", `${folder}/*.ts`],
      ["Validators", `${folder}/validators/`],
      ["Requirements and checks", `${folder}/trace.md`],
    ],
  });
};

const verdict = (held: boolean, milliseconds: number): string =>
  `${held ? styleText("green", "All of it holds") : styleText("red", "Not all of it holds")} (${(milliseconds / 1000).toFixed(1)} s).`;
