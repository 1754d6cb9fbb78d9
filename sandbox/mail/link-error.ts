/** Why a link was not followed to its end, in a sentence for people. */
export class LinkError extends Error {
  override name = "LinkError";
  /** Whether the file was there, but larger than there is room for. */
  readonly tooLarge: boolean;

  constructor(message: string, { tooLarge = false, cause }: { tooLarge?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.tooLarge = tooLarge;
  }
}

/** The code that Node's errors carry, or an empty string. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
