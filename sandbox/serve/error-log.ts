import { styleText } from "node:util";
import { UserError } from "../../lib/user-error.ts";

/** How long the same error is not logged again, in milliseconds. */
const silence = 60_000;

/** The most errors that are remembered. */
const most = 100;

/**
 * Creates the log of the sandbox's own errors. The same error is logged once a minute: a store that cannot write fails every request.
 *
 * @param now the time in milliseconds
 */
export function createErrorLog(
  print: (line: string) => void = console.error,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  const loggedAt = new Map<string, number>();
  return (error) => {
    const text = describe(error);
    if (now() - (loggedAt.get(text) ?? Number.NEGATIVE_INFINITY) < silence) return;
    if (loggedAt.size >= most) loggedAt.clear();
    loggedAt.set(text, now());
    print(text);
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const label = styleText("red", "error:", { stream: process.stderr });
  if (isStoreFailure(error))
    return `${label} the store failed: ${error.message}; requests that need it get 500`;
  return error instanceof UserError ? `${label} ${error.message}` : (error.stack ?? error.message);
}

/** Whether the database failed, such as on a full disk. */
export const isStoreFailure = (error: Error): boolean =>
  (error as NodeJS.ErrnoException).code === "ERR_SQLITE_ERROR";
