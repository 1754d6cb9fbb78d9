/** The last entries of a list that are wanted, the last one first. */
export function newest<Entry>(
  entries: readonly Entry[],
  isWanted: (entry: Entry, index: number) => boolean,
  limit: number,
): Entry[] {
  const page: Entry[] = [];
  for (let at = entries.length - 1; at >= 0 && page.length < limit; at -= 1) {
    const entry = entries[at] as Entry;
    if (isWanted(entry, at)) page.push(entry);
  }
  return page;
}
