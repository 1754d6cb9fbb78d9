/** A law that an answer was held against, and how it broke it, where it did. */
export interface ResponseFinding {
  ids: string[];
  title: string;
  failure?: { expected: string; found: string };
}

/** A finding from what must hold. */
export const finding = (
  ids: string[],
  law: string,
  holds: boolean,
  breach: { expected: string; found: string },
): ResponseFinding => (holds ? { ids, title: law } : { ids, title: law, failure: breach });
