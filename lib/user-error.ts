/**
 * An error that a person can act on: what happened and where (`message`), what to do about it (`hint`),
 * and the exit code of the process (`exitCode`, default: 1).
 * The command line prints the two texts and no stack.
 */
export class UserError extends Error {
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(message: string, options: { hint?: string; exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Failure";
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
  }
}
