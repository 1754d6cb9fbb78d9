import { styleText } from "node:util";
import { UserError } from "../lib/user-error.ts";
import type { HandledRequest } from "./api/context.ts";
import { isLoopback } from "./front-later.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "./index.ts";
import { loadSeed } from "./seed/load.ts";
import type { Seed } from "./seed/seed.ts";
import { banner } from "./serve/banner.ts";
import { callLine } from "./serve/log.ts";
import { askedToStop } from "./serve/stop.ts";

/** What the command line asks of a sandbox. */
export interface ServeOptions {
  port: number;
  host: string;
  /** The folder in which everything is kept; memory when not given. */
  data?: string;
  /** The path of a seed; the demo accounts when not given. */
  seed?: string;
  /** Where mail is relayed. */
  smtp?: string;
  /** A folder that each message is written to as `.eml`. */
  outbox?: string;
  downloads?: boolean;
  /** Opens control calls and pages to other machines too. */
  control?: boolean;
  /** One line with the URL in place of all that is said at the start, and no line for a call unless `log` is given. */
  quiet?: boolean;
  /** How calls are told; as text when not given. */
  log?: "text" | "json";
  clock?: NonNullable<SandboxOptions["clock"]>;
  randomSeed?: string;
  /** Stops it like a signal of the system. */
  signal?: AbortSignal;
}

/**
 * Starts a sandbox, says how to use it, and runs it until the process is asked to end. Answers under way are finished then.
 *
 * @returns the exit status: 0 after a stop, 2 when it could not start
 */
export async function runSandbox(options: ServeOptions): Promise<number> {
  try {
    const seed = await loadSeed(options.seed);
    const sandbox = await start(options, seed);
    const stopped = askedToStop(options.signal);
    announce(options, sandbox, seed);
    await stopped;
    await sandbox.close();
    if (options.log === "json") console.log(JSON.stringify({ event: "stopped" }));
    return 0;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(`${styleText("red", "error:", { stream: process.stderr })} ${error.message}`);
    console.error(`${styleText("cyan", "hint:", { stream: process.stderr })}  ${error.hint}`);
    return 2;
  }
}

async function start(options: ServeOptions, seed: Seed): Promise<Sandbox> {
  const { port, host, data, smtp, outbox, downloads, control, clock, randomSeed } = options;
  const given: SandboxOptions = {
    port,
    host,
    ...(options.seed !== undefined && { seed }),
    ...(data !== undefined && { data }),
    ...(smtp !== undefined && { smtp }),
    ...(outbox !== undefined && { outbox }),
    ...(downloads !== undefined && { downloads }),
    ...(control !== undefined && { control }),
    ...(clock !== undefined && { clock }),
    ...(randomSeed !== undefined && { randomSeed }),
    ...listeners(options),
  };
  return startSandbox(given).catch((error: unknown) => {
    throw listenMistake(error, port, host) ?? error;
  });
}

function listeners({ quiet, log }: ServeOptions): Pick<SandboxOptions, "onRequest" | "onError"> {
  const format = log ?? (quiet ? undefined : "text");
  const onError = (error: unknown): void =>
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
  if (format === undefined) return { onError };
  return { onError, onRequest: (call: HandledRequest) => console.log(callLine(call, format)) };
}

function announce(options: ServeOptions, sandbox: Sandbox, seed: Seed): void {
  const { host, data, control = false, quiet, log } = options;
  const loopback = isLoopback(host);
  if (log === "json") console.log(JSON.stringify({ event: "ready", url: sandbox.url }));
  else if (quiet) console.log(sandbox.url);
  else {
    const started = { url: sandbox.url, seed, data, relay: sandbox.smtp, control: loopback || control };
    console.log(`${banner({ ...started, clock: otherTime(sandbox) })}\n`);
  }
  if (loopback) return;
  const driven = control ? " They can read its outbox and reset it too." : "";
  console.error(
    `${styleText("yellow", "warning:", { stream: process.stderr })} other machines can reach this sandbox, and its keys are no secrets.${driven}`,
  );
}

/** The time of a sandbox that is elsewhere than here; null for one that goes with the real time. */
function otherTime({ clock }: Sandbox): { at: number; frozen: boolean } | null {
  const at = clock.now();
  const isReal = !clock.frozen && Math.abs(at - Date.now()) < 1000;
  return isReal ? null : { at, frozen: clock.frozen };
}

/** What a person can do about an address that cannot be listened on; undefined for other errors. */
function listenMistake(error: unknown, port: number, host: string): UserError | undefined {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case "EADDRINUSE":
      return new UserError(`Port ${port} of ${host} is in use.`, {
        hint: "Give another with --port, or --port 0 for any free one.",
        cause: error,
      });
    case "EACCES":
      return new UserError(`Port ${port} may not be listened on.`, {
        hint: "Give one above 1023 with --port.",
        cause: error,
      });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new UserError(`${host} is no address of this machine.`, {
        hint: "Leave --host out, or give 0.0.0.0 for all of them.",
        cause: error,
      });
    default:
      return undefined;
  }
}
