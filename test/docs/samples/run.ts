import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { HandledRequest } from "../../../sandbox/api/context.ts";
import { startSandbox } from "../../../sandbox/index.ts";
import { programs, type Sample } from "./samples.ts";

/** The result of running a sample. */
export interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** The requests that the sandbox received. */
  requests: HandledRequest[];
}

/** The results with a valid and with an invalid API key. */
export interface Outcome {
  valid: Run;
  invalid: Run;
}

/**
 * Runs a sample twice against its own sandbox, unchanged but for the base URL: the demo accounts have all that it names.
 *
 * @param folder a project in which the client is installed
 * @throws Error if the sample cannot be started or does not end
 */
export async function runSample(sample: Sample, folder: string): Promise<Outcome> {
  const requests: HandledRequest[] = [];
  const sandbox = await startSandbox({
    clock: { frozen: true },
    onRequest: (request) => requests.push(request),
  });
  try {
    const key = sandbox.keys["all abilities"] ?? "";
    const file = join(folder, sample.name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, sample.code.replaceAll("https://api.example.com", sandbox.url));
    const runWith = async (EMAIL_API_KEY: string): Promise<Run> => {
      requests.length = 0;
      return { ...(await execute(programs[sample.file], file, EMAIL_API_KEY)), requests: [...requests] };
    };
    return { valid: await runWith(key), invalid: await runWith("not_a_key") };
  } finally {
    await sandbox.close();
  }
}

function execute(program: string, file: string, EMAIL_API_KEY: string): Promise<Omit<Run, "requests">> {
  // The sandbox is on this machine: a proxy could not reach it.
  const env = { ...process.env, EMAIL_API_KEY, no_proxy: "*" };
  return new Promise((done, fail) => {
    const child = execFile(program, [file], { env, timeout: 20_000 }, (error, stdout, stderr) => {
      // A code that is not a number: the program could not be started, or took too long.
      if (error !== null && typeof error.code !== "number") fail(error);
      else done({ exitCode: child.exitCode ?? 0, stdout, stderr });
    });
  });
}

/** @throws Error with a hint if the program is not installed */
export async function requireProgram(program: string): Promise<void> {
  await promisify(execFile)(program, ["--version"]).catch((cause: unknown) => {
    throw new Error(`The samples need ${program}: apt-get install ${program}`, { cause });
  });
}
