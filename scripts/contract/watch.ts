import { setTimeout } from "node:timers/promises";
import { isResponding } from "../../lib/connection.ts";
import { printNotice } from "../../lib/print.ts";
import { wrapped } from "../../lib/text.ts";
import { UserError } from "../../lib/user-error.ts";

/** In milliseconds. A restart that is over sooner is not seen. */
const pollInterval = 100;

const prompt = "Watching: runs again when the server has restarted, or on any key; q or Ctrl+C ends.";
const endingKeys = ["q", "\u0003"];

/** Where keys come from, such as standard input. */
export type Keys = Pick<NodeJS.ReadStream, "on" | "off" | "pause" | "resume"> &
  Partial<Pick<NodeJS.ReadStream, "isTTY" | "setRawMode">>;

/**
 * The option `--watch`: runs again when the server has restarted or a key is pressed.
 * @param baseUrlOf the server, which a configuration may change between two runs
 * @returns the exit code of the last run
 */
export async function watch(
  run: () => Promise<number>,
  baseUrlOf: () => Promise<string>,
  { keys = process.stdin, print = printNotice }: { keys?: Keys; print?: (text: string) => void } = {},
): Promise<number> {
  let baseUrl: string | undefined;
  for (;;) {
    const exitCode = await run().catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
      print(wrapped(`error: ${error.message}`));
      if (error.hint !== undefined) print(wrapped(`hint:  ${error.hint}`));
      return error.exitCode;
    });
    print(`\n${wrapped(prompt)}`);
    // The run has reported why a configuration is invalid.
    baseUrl = await baseUrlOf().catch(() => baseUrl);
    if (!(await isToRepeat(baseUrl, keys))) return exitCode;
  }
}

/** Waits for a restart, if there has been a valid configuration, or a key. @returns false for a key that ends it */
async function isToRepeat(baseUrl: string | undefined, keys: Keys): Promise<boolean> {
  const decided = Promise.withResolvers<boolean>();
  const onKey = (key: Buffer): void => decided.resolve(!endingKeys.includes(String(key).slice(0, 1)));
  const stop = new AbortController();
  keys.setRawMode?.(true);
  keys.on("data", onKey).resume();
  if (baseUrl !== undefined)
    restarted(baseUrl, stop.signal).then(() => decided.resolve(true), decided.reject);
  try {
    return await decided.promise;
  } finally {
    stop.abort();
    keys.off("data", onKey).pause();
    keys.setRawMode?.(false);
  }
}

/** Resolves when a server has not responded for a while and responds again. */
async function restarted(baseUrl: string, signal: AbortSignal): Promise<void> {
  for (const isWanted of [false, true])
    while (!signal.aborted && (await isResponding(baseUrl)) !== isWanted) await setTimeout(pollInterval);
}
