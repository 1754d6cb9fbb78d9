/** An error that the user can act on. The command line prints its two texts without a stack. */
export class UserError extends Error {
  /** What to do about it. */
  readonly hint: string | undefined;
  /** The exit code of the process. Default: 1. */
  readonly exitCode: number;

  /** @param message what is wrong, with the value and its position */
  constructor(message: string, options: { hint?: string; exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "UserError";
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
  }
}
