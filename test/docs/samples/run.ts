import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "../../../client/src/index.ts";
import type { HandledRequest } from "../../../sandbox/api/context.ts";
import { type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { given } from "./given.ts";
import { folderOf, programs, type Sample } from "./samples.ts";

/** What came of running a sample with a key. */
export interface Run {
  /** The exit status. */
  status: number;
  stdout: string;
  stderr: string;
  /** The calls that the sandbox answered meanwhile. */
  calls: HandledRequest[];
}

/** A sample with a key that works, and with one that does not. */
export interface Outcome {
  right: Run;
  wrong: Run;
}

/**
 * Runs a sample twice, against a sandbox of its own, which nothing else has touched: first with a key that works.
 *
 * @param folder a project that has the client installed
 * @throws Error where the sample cannot be started, or does not end
 */
export async function runSample(sample: Sample, folder: string): Promise<Outcome> {
  const calls: HandledRequest[] = [];
  const sandbox = await startSandbox({ clock: { frozen: true }, onRequest: (call) => calls.push(call) });
  try {
    const key = sandbox.keys["all abilities"] ?? "";
    const place = join(folder, folderOf(sample.operation.id));
    await mkdir(place, { recursive: true });
    const file = join(place, sample.file);
    await writeFile(file, await codeFor(sample, sandbox, key));
    const runWith = async (EMAIL_API_KEY: string): Promise<Run> => {
      calls.length = 0;
      return { ...(await execute(programs[sample.file], file, EMAIL_API_KEY)), calls: [...calls] };
    };
    return { right: await runWith(key), wrong: await runWith("not_a_key") };
  } finally {
    await sandbox.close();
  }
}

/** The sample with the sandbox's address, and with what it takes as given. */
async function codeFor({ operation, code }: Sample, { url }: Sandbox, key: string): Promise<string> {
  const client = createClient({ key, baseUrl: url });
  let ready = code.replaceAll("https://api.example.com", url);
  for (const [text, stand] of Object.entries(given[operation.id] ?? {}))
    if (ready.includes(text)) ready = ready.replaceAll(text, await stand(client));
  return ready;
}

/** Runs a program on a file, as a person would. */
function execute(program: string, file: string, EMAIL_API_KEY: string): Promise<Omit<Run, "calls">> {
  // The sandbox is on this machine: no proxy leads there.
  const env = { ...process.env, EMAIL_API_KEY, no_proxy: "*" };
  return new Promise((done, fail) => {
    const child = execFile(program, [file], { env, timeout: 20_000 }, (error, stdout, stderr) => {
      // A word in place of a number: it could not be started, or took too long.
      if (error !== null && typeof error.code !== "number") fail(error);
      else done({ status: child.exitCode ?? 0, stdout, stderr });
    });
  });
}

/** Sees that a program is there. @throws Error that says what to do */
export async function need(program: string): Promise<void> {
  const explained = (cause: unknown) => {
    throw new Error(`The samples cannot be run without ${program}: apt-get install ${program}`, { cause });
  };
  await promisify(execFile)(program, ["--version"]).catch(explained);
}

/** Does the work for all items, in so many lanes. */
export async function inLanes<Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const lane = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
