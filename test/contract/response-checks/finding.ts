/** The result of a response check: `failure` is absent if it passes. */
export interface ResponseFinding {
  ids: string[];
  title: string;
  failure?: { expected: string; found: string };
}

export const finding = (
  ids: string[],
  title: string,
  passes: boolean,
  failure: { expected: string; found: string },
): ResponseFinding => (passes ? { ids, title } : { ids, title, failure });
