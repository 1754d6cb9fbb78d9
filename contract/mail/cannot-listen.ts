import { UserError } from "../../lib/user-error.ts";

/** The error of a port of the configuration that cannot be opened, with exit code 2. */
export function cannotListen(
  what: string,
  { host, port, hint }: { host: string; port: number; hint: string },
  cause: unknown,
): UserError {
  const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
  return new UserError(`${what} cannot listen on ${host}:${port}: ${code}`, { hint, exitCode: 2, cause });
}
