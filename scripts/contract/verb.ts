import { appendFile, writeFile } from "node:fs/promises";
import type { Profile } from "../../test/contract/settings.ts";
import { runContract } from "../contract.ts";
import { apiKey } from "../environment.ts";
import { Failure } from "../failure.ts";
import type { ContractResult } from "./result.ts";
import { startTarget, type TargetName } from "./targets.ts";
import { contractText } from "./text.ts";

/** The options of the verb `contract`. */
export interface ContractVerbOptions {
  /** The server to test. */
  baseUrl?: string;
  /** The server to start and test where no other is named; the sandbox unless told otherwise. */
  target?: TargetName;
  profile?: Profile;
  grep?: string;
  /** A file to write the result to, as JSON. */
  json?: string;
}

/**
 * The verb `contract`: tests the server at `baseUrl`, or starts one of the toolkit's own and tests that. The key for a server is
 * read from the environment (`CONTRACT_API_KEY`); the toolkit's own do not get it.
 *
 * @returns the exit status: 0 all hold, 1 a promise is broken, 2 the server could not be asked
 * @throws Failure when the options make no sense or no server answers
 */
export async function runContractVerb(options: ContractVerbOptions): Promise<number> {
  const { baseUrl, target, grep, json } = options;
  if (baseUrl !== undefined && target !== undefined) {
    throw new Failure("--base-url and --target both name a server.", {
      hint: "Give one of them.",
      exitStatus: 2,
    });
  }
  // Before the run: it takes a while, and what it found would be lost.
  if (json !== undefined) await mustBeWritable(json);
  const started = baseUrl === undefined ? await startTarget(target ?? "sandbox") : undefined;
  const key = started === undefined ? apiKey() : started.key;
  try {
    const result = await runContract({
      baseUrl: baseUrl ?? started?.url ?? "",
      profile: options.profile ?? started?.profile ?? "mock",
      onProgress: tellProgress,
      ...(key === undefined ? {} : { key }),
      ...(grep === undefined ? {} : { grep }),
    });
    if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
    console.log(contractText(result));
    if (json !== undefined) await writeFile(json, `${JSON.stringify(result, null, 2)}\n`);
    return exitStatusOf(result);
  } finally {
    await started?.close();
  }
}

/** What a run says about a server: 0 all hold, 1 a promise is broken, 2 the server or the suite gave no answer. */
export function exitStatusOf({ failures }: Pick<ContractResult, "failures">): number {
  if (failures.some(({ kind }) => kind === "broken")) return 1;
  return failures.length > 0 ? 2 : 0;
}

async function mustBeWritable(path: string): Promise<void> {
  try {
    await appendFile(path, "");
  } catch (cause) {
    throw new Failure(`--json cannot be written: ${path}`, {
      hint: "Give a file in a folder that exists.",
      exitStatus: 2,
      cause,
    });
  }
}

function tellProgress(done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total} cases`);
}
