import { isTree } from "../lib/objects.ts";

/** `at` is a JSON Pointer. */
export type Difference = { at: string; one: unknown; other: unknown };

/** The innermost part in which two JSON values differ, and where; undefined if they say the same. */
export function differenceOf(one: unknown, other: unknown, at = ""): Difference | undefined {
  // A value as a whole and one of a property such as sent_at can be a time; a text elsewhere that looks like one is a text.
  if (one === other || (/(^|[_/]at)$/.test(at) && isSameTime(one, other))) return undefined;
  if (!isTree(one) || !isTree(other) || Array.isArray(one) !== Array.isArray(other))
    return { at, one, other };
  for (const name of Object.keys({ ...one, ...other })) {
    const difference = differenceOf(one[name], other[name], `${at}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** Whether two JSON values say the same: the order of properties has no meaning, nor has the form of a time. */
export const isSame = (one: unknown, other: unknown): boolean => differenceOf(one, other) === undefined;

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.(\d+))?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Whether two texts are the same time, as far as the one with fewer digits tells: a server may keep, cut or round the others. */
function isSameTime(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((text) => (typeof text === "string" ? rfc3339.exec(text) : null));
  if (!first || !second) return false;
  const apart = Math.abs(Date.parse(first[0]) - Date.parse(second[0]));
  const digits = [first, second].map(([, fraction = ""]) => (/[1-9]/.test(fraction) ? fraction.length : 0));
  const unit = 10 ** (3 - Math.min(3, ...digits));
  return apart === 0 || (digits[0] !== digits[1] && apart <= unit);
}
