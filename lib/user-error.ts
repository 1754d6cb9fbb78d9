/** An error that the user can act on. The command line prints its two texts without a stack. */
export class UserError extends Error {
  readonly hint: string | undefined;
  /** The exit code of the process. Default: 1. */
  readonly exitCode: number;

  /** @param message what is wrong, with the value and its position */
  constructor(
    message: string,
    options: { hint?: string | undefined; exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "UserError";
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
  }
}

/** An error in how the program is used or set up, with exit code 2. */
export const usageError = (message: string, hint?: string, cause?: unknown): UserError =>
  new UserError(message, { hint, exitCode: 2, cause });

const ofSystem = /^(EACCES|EDQUOT|EISDIR|ENOENT|ENOSPC|ENOTDIR|EPERM|EROFS)$/;

/** The error of a file that cannot be read or written, with exit code 2; undefined for any other error. */
export function fileError(error: unknown): UserError | undefined {
  const { code = "", path, syscall, message = "" } = Object(error) as NodeJS.ErrnoException;
  if (path === undefined || syscall === undefined || !ofSystem.test(code)) return undefined;
  const hint = "Check that its folder exists, that you may write there, and that the disk has room.";
  return usageError(`${path} cannot be used: ${message.replace(/, .*$/s, "")}`, hint, error);
}

/** What a server listens on; a port of 0 takes any free port. */
export interface ListenOptions {
  host: string;
  port: number;
}

const noInterface = ({ host }: ListenOptions) =>
  [
    `${host} is not an interface of this machine`,
    "Omit --host, or give 0.0.0.0 for all interfaces.",
  ] as const;

/** What is wrong and what to do, by the code of Node's error. */
const listenProblems: Record<string, (options: ListenOptions) => readonly [message: string, hint: string]> = {
  EADDRINUSE: ({ host, port }) => [
    `port ${port} on ${host} is in use`,
    "Choose another with --port; 0 takes any free port.",
  ],
  EACCES: ({ port }) => [`no permission to listen on port ${port}`, "Choose a port above 1023 with --port."],
  EADDRNOTAVAIL: noInterface,
  ENOTFOUND: noInterface,
  EAI_AGAIN: noInterface,
};

/** The error of a server that cannot listen, with exit code 2; undefined for any other error. */
export function listenError(code: string | undefined, options: ListenOptions, cause?: unknown) {
  const problem = listenProblems[code ?? ""]?.(options);
  return problem && usageError(...problem, cause);
}
