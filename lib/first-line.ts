/** The first line of an error's message, as a part of a sentence: without the colon before the lines that are left out. */
export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0]?.replace(/[:.]\s*$/, "") ?? "";
