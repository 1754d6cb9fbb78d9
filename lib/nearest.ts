/** The name that needs the fewest changes of single characters to become what was given. Without names, undefined. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const [first] = names
    .map((name) => ({ name, changes: changesBetween(given.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.changes - other.changes);
  return first?.name;
}

/** The Levenshtein distance, row by row. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column += 1)
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + (character === other[column - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
