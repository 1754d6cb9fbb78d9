/**
 * Something that the person who started the sandbox can put right: what is wrong and where (`message`), what to do
 * about it (`hint`), and the status that a process ends with for it.
 */
export class Mistake extends Error {
  readonly hint: string;
  readonly exitCode: number;

  constructor(message: string, hint: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Mistake";
    this.hint = hint;
    this.exitCode = options.exitCode ?? 2;
  }
}
