import { UserError } from "../lib/user-error.ts";

/** What `parseArgs` reports for options that are invalid. */
const isUsageError = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");

/** The exit code of a command: 0 if it returns true, 1 if it returns false, 2 with a message for a usage error. */
export async function exitCodeOf(command: () => Promise<boolean>): Promise<number> {
  try {
    return (await command()) ? 0 : 1;
  } catch (error) {
    const isUsage = error instanceof UserError || isUsageError(error);
    console.error(isUsage ? `error: ${error.message}` : error);
    return 2;
  }
}
