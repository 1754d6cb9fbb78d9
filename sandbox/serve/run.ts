import { setTimeout } from "node:timers/promises";
import { type ListenOptions, listenError, UserError, usageError } from "../../lib/user-error.ts";
import { StoreUnavailableError } from "../domain/store.ts";
import { isLoopback } from "../http/hosts.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../index.ts";
import { loadSeed } from "../seed/load.ts";
import { isPostgres } from "../store/open.ts";
import { banner, createErrorLog, createReport, type LogFormat } from "./report.ts";

export interface ServeOptions
  extends ListenOptions,
    Omit<SandboxOptions, "port" | "host" | "seed" | "delays" | "requestsPerMinute" | "requestTimeout"> {
  /** The path of a seed; default: the demo accounts. */
  seed?: string;
  /** Prints only the URL, and no requests unless `log` is given. */
  quiet?: boolean;
  /** The format of the log; default: text. */
  log?: LogFormat;
}

/**
 * Runs a sandbox until the process is asked to stop, and then finishes the requests in progress.
 * @throws UserError with exit code 2 if the sandbox cannot start
 */
export async function runSandbox(options: ServeOptions): Promise<void> {
  const { seed: path, quiet, log, ...rest } = options;
  const report = createReport(log, rest.docs);
  try {
    const seed = await loadSeed(path);
    const stopped = untilStopped();
    const starting = startSandbox({
      ...rest,
      ...(path !== undefined && { seed }),
      ...(!(quiet && log === undefined) && { onRequest: report.request }),
      onError: createErrorLog(report.error),
    });
    // A database that is waited for does not keep it from stopping for long.
    const sandbox = await Promise.race([starting, stopped]);
    if (sandbox === "stopped") {
      await Promise.race([starting.then((one) => one.close()).catch(() => {}), setTimeout(startGrace)]);
      report.stopped();
      process.exit(0);
    }
    const hasControl = isLoopback(options.host) || options.control === true;
    report.ready(sandbox.url, sandbox.data, () =>
      quiet ? sandbox.url : `${banner(sandbox, seed, hasControl)}\n`,
    );
    for (const warning of warningsOf(options, sandbox)) report.warn(warning);
    await stopped;
    await sandbox.close();
    report.stopped();
  } catch (error) {
    const failure = startError(error, options);
    if (failure === undefined || !report.failed(failure)) throw failure ?? error;
    process.exitCode = failure.exitCode;
  }
}

/** What a user may not expect of a sandbox that has started. */
function* warningsOf({ host, control, data }: ServeOptions, sandbox: Sandbox): Generator<string> {
  const more = control ? " They can also read its outbox and reset it." : "";
  if (!isLoopback(host)) yield `other machines can reach this sandbox, and its keys are not secret.${more}`;
  // Who sets it wants other machines to reach the sandbox, which they do not.
  else if (control)
    yield `--control has no effect: only this machine reaches ${host}. To open the sandbox to others, add --host 0.0.0.0; otherwise omit --control.`;
  if (sandbox.hasOtherSeed)
    yield `${sandbox.data} was filled from another seed: its contacts, suppressions and messages are kept, and those of this seed are not loaded. To load them, choose another ${isDatabase(data) ? "database" : "folder"} with --data, or reset the sandbox with POST /sandbox/reset, which deletes all data.`;
}

const isDatabase = (data: string | undefined): boolean => data !== undefined && isPostgres(data);

/** The error for the user if the sandbox cannot start; undefined for an internal error. */
function startError(error: unknown, options: ServeOptions): UserError | undefined {
  if (error instanceof UserError) return usageError(error.message, error.hint, error);
  if (error instanceof StoreUnavailableError)
    return usageError(
      `the store cannot be used: ${error.reason}`,
      isDatabase(options.data)
        ? "Check that the database is running, or choose another one with --data."
        : "Free some space on its disk, or choose another folder with --data.",
      error,
    );
  return listenError((error as NodeJS.ErrnoException | undefined)?.code, options, error);
}

/** How long a start that is no longer wanted may take to end, in milliseconds. */
const startGrace = 3_000;

/** Under npm, Ctrl+C arrives twice: from the terminal and from npm. Signals within this many milliseconds are one. */
const duplicateWithin = 500;

/** Resolves at SIGINT or SIGTERM. A second signal ends the process immediately. */
const untilStopped = (): Promise<"stopped"> =>
  new Promise((resolve) => {
    let stoppedAt: number | undefined;
    const stop = (): void => {
      if (stoppedAt !== undefined && performance.now() - stoppedAt > duplicateWithin) process.exit(130);
      stoppedAt ??= performance.now();
      resolve("stopped");
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
