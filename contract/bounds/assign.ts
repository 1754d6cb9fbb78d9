import type { Case } from "../cases/case.ts";

/** Selects cases by field (as in `Case.field`; `**` at the end matches everything below) and, if given, by keyword. */
export type CaseSelector = readonly [field: string, ...keywords: string[]];

/** The selectors of each requirement. */
export type CaseSelectors<Key extends string> = Readonly<Record<Key, readonly CaseSelector[]>>;

/** How specific a selector is for a case; 0 if it does not match. */
export function specificity(
  [field, ...keywords]: CaseSelector,
  one: Pick<Case, "field" | "keyword">,
): number {
  const all = field.endsWith("**");
  const isField = all ? one.field.startsWith(field.slice(0, -"**".length)) : one.field === field;
  if (!isField || (keywords.length > 0 && !keywords.includes(one.keyword))) return 0;
  return (all ? 1 : 2) + (keywords.length > 0 ? 2 : 0);
}

/**
 * Assigns each case to the requirement with the most specific matching selector.
 *
 * @throws Error for a case that no or several selectors match, and for a selector without a case
 */
export function assignCases<Key extends string>(
  cases: readonly Case[],
  selectors: CaseSelectors<Key>,
): Record<Key, Case[]> {
  const keys = Object.keys(selectors) as Key[];
  const rows = keys.flatMap((key) =>
    selectors[key].map((selector) => ({ key, selector, cases: [] as Case[] })),
  );
  for (const one of cases) {
    const best = Math.max(0, ...rows.map(({ selector }) => specificity(selector, one)));
    const [owner, ...others] = rows.filter(({ selector }) => best > 0 && specificity(selector, one) === best);
    if (owner === undefined)
      throw new Error(`no requirement covers "${one.title}" (${one.field || "the body"}, ${one.keyword})`);
    if (others.length > 0)
      throw new Error(`several requirements cover "${one.title}": ${owner.key}, ${others[0]?.key}`);
    owner.cases.push(one);
  }
  const unused = rows.find((row) => row.cases.length === 0);
  if (unused !== undefined)
    throw new Error(`${unused.key} covers ${unused.selector.join(" ")}, which has no case`);
  const pairs = keys.map((key) => [key, rows.filter((row) => row.key === key).flatMap((row) => row.cases)]);
  return Object.fromEntries(pairs) as Record<Key, Case[]>;
}
