import { printable } from "../../lib/print.ts";
import { type ListenOptions, listenError, UserError, usageError } from "../../lib/user-error.ts";
import { startInThread } from "../common/thread.ts";
import { readBundle } from "../document/read-bundle.ts";

export interface Mock {
  /** The base URL, without a trailing slash. */
  url: string;
  /** Rejects with a UserError if Prism ends by itself; never resolves. */
  ended: Promise<never>;
  /** Stops it and resolves when its port is free. May be called more than once. */
  close(): Promise<void>;
}

export interface PrismOptions extends ListenOptions {
  verbose: boolean;
  document: object;
}

/**
 * Starts Prism in a thread and resolves when it listens. Defaults: a free port of 127.0.0.1, the bundle, Prism's own log hidden.
 * @throws UserError with exit code 2 if there is no bundle, or Prism does not start
 */
export async function startMock(given: Partial<PrismOptions> = {}): Promise<Mock> {
  const document = given.document ?? (await readBundle());
  const options: PrismOptions = { port: 0, host: "127.0.0.1", verbose: false, ...given, document };
  const file = new URL("prism-thread.ts", import.meta.url);
  const write = (text: string): boolean => options.verbose && process.stderr.write(printable(text));
  const thread = startInThread<number>(file, options, write);
  const { ready, ended, close } = await thread.catch((error: unknown) => {
    throw prismFailure(error, options);
  });
  const fail = (cause?: unknown): never => {
    throw new UserError("Prism ended unexpectedly", { hint: `Its error: ${textOf(cause)}`, cause });
  };
  const failed = ended.then(() => fail(), fail);
  // close() ends it as well: without a listener that is no unhandled rejection.
  failed.catch(() => {});
  return { url: urlOf(options.host, ready), ended: failed, close };
}

/** The base URL; the loopback interface if it listens on every interface. */
function urlOf(host: string, port: number): string {
  const reachable = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Why Prism did not start, with exit code 2. @param error that of Prism, which is the text alone if it cannot listen */
export function prismFailure(error: unknown, options: ListenOptions): UserError {
  const reason = textOf(error);
  const code = /\bE(ADDRINUSE|ACCES|ADDRNOTAVAIL|NOTFOUND|AI_AGAIN)\b/.exec(reason)?.[0];
  return listenError(code, options, error) ?? usageError(`Prism did not start: ${reason}`, undefined, error);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
