/** A law that an answer was held against, and how it broke it, where it did. */
export interface WireFinding {
  ids: string[];
  law: string;
  breach?: { expected: string; found: string };
}

/** A finding from what must hold. */
export const finding = (
  ids: string[],
  law: string,
  holds: boolean,
  breach: { expected: string; found: string },
): WireFinding => (holds ? { ids, law } : { ids, law, breach });
