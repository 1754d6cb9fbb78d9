import { UserError } from "../../lib/user-error.ts";

/**
 * Why Prism did not come up, as an error that a person can act on.
 *
 * @param output what Prism wrote
 * @param attempt where it was to listen, and how it ended
 */
export function prismFailure(
  output: string,
  attempt: { host: string; port: number; how: string },
): UserError {
  const { host, port, how } = attempt;
  if (output.includes("EADDRINUSE")) {
    return new UserError(`Port ${port} of ${host} is in use.`, {
      hint: "Stop what listens there, or choose another port (--port 0 takes a free one).",
      exitCode: 2,
    });
  }
  if (output.includes("EADDRNOTAVAIL") || output.includes("ENOTFOUND")) {
    return new UserError(`This machine has no address ${host} to listen on.`, {
      hint: "Use --host 127.0.0.1, or 0.0.0.0 for every interface.",
      exitCode: 2,
    });
  }
  if (output.includes("EACCES")) {
    return new UserError(`Port ${port} of ${host} may not be used without more rights.`, {
      hint: "Choose a port above 1023 (--port 0 takes a free one).",
      exitCode: 2,
    });
  }
  return new UserError(`Prism did not start: ${how}.`, {
    hint: `Prism wrote: ${saidLast(output)}`,
    exitCode: 2,
  });
}

/** That a Prism which was listening has ended, and the last that it wrote. */
export const prismEnded = (output: string): UserError =>
  new UserError("Prism has ended by itself.", { hint: `Prism wrote: ${saidLast(output)}` });

/** The last paragraph: before it Prism prints the help of its command line. */
const saidLast = (output: string): string =>
  output
    .trim()
    .split(/\n\s*\n/)
    .at(-1)
    ?.trim() || "nothing";
