/**
 * Matches a path against a template such as `/messages/{id}`. A parameter matches one segment that is not empty.
 *
 * @returns the path parameters, decoded; undefined for another path
 */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const expected = template.split("/");
  const segments = path.split("/");
  if (segments.length !== expected.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const name = /^\{(\w+)\}$/.exec(expected[index] ?? "")?.[1];
    if (name === undefined ? segment !== expected[index] : segment === "") return undefined;
    if (name !== undefined) parameters[name] = percentDecoded(segment);
  }
  return parameters;
}

/** The text without percent-encoding; unchanged if the encoding is invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
