import { UserError } from "../../lib/user-error.ts";

interface Attempt {
  host: string;
  port: number;
  /** How it ended: `exit code 1`. */
  reason: string;
}

/**
 * Why Prism did not start, with exit code 2.
 * @param output what Prism wrote
 */
export function prismFailure(output: string, { host, port, reason }: Attempt): UserError {
  const causes: [string, string, string][] = [
    [
      "EADDRINUSE",
      `port ${port} on ${host} is in use`,
      "Stop that server, or pass --port 0 for a free port.",
    ],
    [
      "EADDRNOTAVAIL",
      `this machine has no interface ${host}`,
      "Pass --host 127.0.0.1, or 0.0.0.0 for every interface.",
    ],
    [
      "EACCES",
      `port ${port} of ${host} needs more rights`,
      "Pass a port above 1023, or --port 0 for a free port.",
    ],
  ];
  const known = output.replaceAll("ENOTFOUND", "EADDRNOTAVAIL");
  const [, message, hint] = causes.find(([code]) => known.includes(code)) ?? [
    "",
    `Prism did not start: ${reason}`,
    `Prism wrote: ${lastParagraph(output)}`,
  ];
  return new UserError(message, { hint, exitCode: 2 });
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
