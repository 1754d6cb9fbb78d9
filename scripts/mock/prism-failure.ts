import { type ListenOptions, listenError } from "../../lib/listen-error.ts";
import { UserError } from "../../lib/user-error.ts";

interface Attempt extends ListenOptions {
  /** How it ended: `exit code 1`. */
  reason: string;
}

/**
 * Why Prism did not start, with exit code 2.
 * @param output what Prism wrote
 */
export function prismFailure(output: string, { host, port, reason }: Attempt): UserError {
  const code = /\bE(ADDRINUSE|ACCES|ADDRNOTAVAIL|NOTFOUND|AI_AGAIN)\b/.exec(output)?.[0];
  const hint = `Prism wrote: ${lastParagraph(output)}`;
  return (
    listenError(code, { host, port }) ??
    new UserError(`Prism did not start: ${reason}`, { hint, exitCode: 2 })
  );
}

/** Prism was listening and then ended. */
export const prismEnded = (output: string): UserError =>
  new UserError("Prism ended unexpectedly", { hint: `Prism wrote: ${lastParagraph(output)}` });

/** Before its last paragraph Prism prints the help of its command line. */
const lastParagraph = (output: string): string =>
  output
    .trim()
    .split(/\n\s*\n/)
    .at(-1)
    ?.trim() || "nothing";
