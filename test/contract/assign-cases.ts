import type { Case } from "./cases/case.ts";

/**
 * Cases that a law takes: those of a field (written as in `Case.field`, with `**` at its end for all below), of certain
 * keywords where any are named.
 */
export type CaseSelector = readonly [field: string, ...keywords: string[]];

/** The claims of each law, by the id of its requirement. */
export type CaseSelectors<Law extends string> = Readonly<Record<Law, readonly CaseSelector[]>>;

/** How closely a claim says which case it means; 0 where it does not mean this one. */
function closeness([field, ...keywords]: CaseSelector, one: Case): number {
  const all = field.endsWith("**");
  const isField = all ? one.field.startsWith(field.slice(0, -"**".length)) : one.field === field;
  if (!isField || (keywords.length > 0 && !keywords.includes(one.keyword))) return 0;
  return (all ? 1 : 2) + (keywords.length > 0 ? 2 : 0);
}

/**
 * The cases of each law. Each case goes to the claim that means it most closely, in whichever order the claims stand.
 *
 * @throws Error for a case that no law or several claim alike, and for a claim that means no case
 */
export function assignCases<Law extends string>(
  cases: readonly Case[],
  claims: CaseSelectors<Law>,
): Record<Law, Case[]> {
  const laws = Object.keys(claims) as Law[];
  const all = laws.flatMap((law) => claims[law].map((claim) => ({ law, claim, cases: [] as Case[] })));
  for (const one of cases) {
    const closest = Math.max(0, ...all.map(({ claim }) => closeness(claim, one)));
    const [owner, ...others] = all.filter(({ claim }) => closest > 0 && closeness(claim, one) === closest);
    if (owner === undefined)
      throw new Error(`no law claims "${one.title}" (${one.field || "the body"}, ${one.keyword})`);
    if (others.length > 0)
      throw new Error(`several claims mean "${one.title}": ${owner.law}, ${others[0]?.law}`);
    owner.cases.push(one);
  }
  const idle = all.find((row) => row.cases.length === 0);
  if (idle !== undefined)
    throw new Error(`${idle.law} claims ${idle.claim.join(" ")}, and there is no such case`);
  const pairs = laws.map((law) => [law, all.filter((row) => row.law === law).flatMap((row) => row.cases)]);
  return Object.fromEntries(pairs) as Record<Law, Case[]>;
}
