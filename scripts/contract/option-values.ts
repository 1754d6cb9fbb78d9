import type { Environment } from "../../contract/config/config.ts";
import type { Fetch } from "../../contract/engine/http.ts";
import type { Profile } from "../../contract/engine/settings.ts";
import { UserError } from "../../lib/user-error.ts";

/** The options that the commands `init` and `doctor` share. */
export interface SetUpOptions {
  baseUrl?: string;
  profile?: Profile;
  /** Default: the environment of the process. */
  env?: Environment;
  /** Default: the working directory. */
  folder?: string;
  fetch?: Fetch;
  /** Called with each wait for the rate limit, in milliseconds; default: prints it on standard error. */
  onWait?: (milliseconds: number) => void;
  /** Default: `console.log`. */
  print?: (text: string) => void;
}

/**
 * Checks that a server responds at the base URL.
 * @throws UserError with exit code 2 if none does
 */
export async function assertReachable(baseUrl: string): Promise<void> {
  try {
    const response = await fetch(baseUrl, { redirect: "manual", signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
  } catch (cause) {
    const { origin } = new URL(baseUrl);
    const hint = "Start the server, or fix the base URL.";
    throw new UserError(`${origin} does not respond`, { hint, exitCode: 2, cause });
  }
}

/**
 * The regular expression of the option `--grep`. An id at its end stands for itself alone: SEND-3 does not match SEND-30.
 * @throws UserError with exit code 2 if it is invalid
 */
export function grepPattern(grep: string): RegExp {
  try {
    return new RegExp(grep.replaceAll(/[A-Z]+-\d+(?=$|[|)])/g, "$&(?!\\d)"));
  } catch (cause) {
    const hint = "Give an id, such as SEND-9, or a word.";
    throw new UserError(`--grep must be a regular expression (got "${grep}")`, { hint, exitCode: 2, cause });
  }
}
