/**
 * An error that a person can act on: what happened and where (`message`), what to do about it (`hint`),
 * and the status that the process ends with (`exitStatus`, 1 unless told otherwise).
 * The command line prints the two texts and no stack.
 */
export class Failure extends Error {
  readonly hint: string | undefined;
  readonly exitStatus: number;

  constructor(message: string, options: { hint?: string; exitStatus?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Failure";
    this.hint = options.hint;
    this.exitStatus = options.exitStatus ?? 1;
  }
}
