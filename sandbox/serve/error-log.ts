import { UserError } from "../../lib/user-error.ts";
import { StoreUnavailableError } from "../domain/unavailable.ts";
import { isStoreFailure, storeProblem } from "../store/failure.ts";

/** How long the same error is not logged again, in milliseconds. */
const repeatTime = 60_000;

/** The most errors that are remembered. */
const most = 100;

/** An error of the sandbox itself. Only a bug has a stack. */
export interface LoggedError {
  message: string;
  stack?: string | undefined;
}

/**
 * Creates the log of the sandbox's own errors. The same error is logged once a minute: a store that cannot write fails every request. So does a
 * database that cannot be reached, in several ways.
 *
 * @param now the time in milliseconds
 */
export function createErrorLog(
  print: (error: LoggedError) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  const loggedAt = new Map<string, number>();
  return (error) => {
    const logged = describe(error);
    const key = error instanceof StoreUnavailableError ? error.name : (logged.stack ?? logged.message);
    if (now() - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < repeatTime) return;
    if (loggedAt.size >= most) loggedAt.clear();
    loggedAt.set(key, now());
    print(logged);
  };
}

function describe(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  if (isStoreFailure(error))
    return {
      message: `the store failed: ${storeProblem(error)}; requests that need it get 503`,
    };
  return error instanceof UserError ? { message } : { message, stack };
}
