/** The first difference of two JSON values: `1 instead of 2 at /a/b`; undefined if there is none. */
export function firstDifference(expected: unknown, found: unknown, at = ""): string | undefined {
  if (Object.is(expected, found)) return undefined;
  if (!isContainer(expected) || !isContainer(found) || Array.isArray(expected) !== Array.isArray(found)) {
    return `${format(found)} instead of ${format(expected)} ${at === "" ? "as the body" : `at ${at}`}`;
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  for (const name of names) {
    const difference = firstDifference(expected[name], found[name], `${at}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const format = (value: unknown): string => JSON.stringify(value) ?? "nothing";
