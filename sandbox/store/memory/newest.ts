import type { Page } from "../../domain/store.ts";

/** A page of a list that is sorted by `seq`, the newest first. @param before the `seq` of the last entry of the page before */
export function newest<Entry extends { seq: number }>(
  entries: readonly Entry[],
  accountOf: (entry: Entry) => string,
  { accountId, limit }: Page,
  before = Number.POSITIVE_INFINITY,
): Entry[] {
  const page: Entry[] = [];
  for (let at = entries.length - 1; at >= 0 && page.length < limit; at -= 1) {
    const entry = entries[at] as Entry;
    if (entry.seq < before && (accountId === undefined || accountOf(entry) === accountId)) page.push(entry);
  }
  return page;
}
