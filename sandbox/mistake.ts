import { UserError } from "../lib/user-error.ts";

/** A `UserError` with the exit code 2. */
export class Mistake extends UserError {
  declare readonly hint: string;

  constructor(message: string, hint: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { hint, exitCode: 2, ...options });
  }
}
