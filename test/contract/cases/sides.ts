import { isObject } from "./place.ts";
import type { Try } from "./tries.ts";
import { withArticle } from "./words.ts";

/** A value at a limit, and the value next to it on the other side; none where there is no such value. */
interface Sides {
  within: Try;
  past: Try[];
}

/**
 * Both sides of a limit that counts something.
 *
 * @param keyword such as `maxLength`
 * @param limit what the keyword says
 * @param current a good value, which the others are made from
 * @param keep whether a name may stand in the object, where the value is one
 */
export function sidesOf(
  keyword: string,
  limit: number,
  current: unknown,
  keep: (name: string) => boolean = () => true,
): Sides {
  const beyond = keyword.startsWith("max") ? limit + 1 : limit - 1;
  const make = maker(keyword, current, keep);
  return { within: make(limit), past: beyond < 0 && keyword !== "minimum" ? [] : [make(beyond)] };
}

function maker(keyword: string, current: unknown, keep: (name: string) => boolean): (count: number) => Try {
  const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;
  if (keyword.endsWith("Length")) {
    return (count) => ({
      value: String(current).slice(0, count).padEnd(count, "x"),
      words: (noun) => `${withArticle(noun)} of ${many(count, "character", "characters")}`,
    });
  }
  if (keyword.endsWith("Items")) {
    return (count) => ({
      value: entries(current, count),
      words: (noun) => `${noun} with ${many(count, "entry", "entries")}`,
    });
  }
  if (keyword.endsWith("Properties")) {
    return (count) => ({
      value: pairs(current, count, keep),
      words: (noun) => `${noun} with ${many(count, "pair", "pairs")}`,
    });
  }
  return (count) => ({ value: count, words: (noun) => `${count} as ${noun}` });
}

/** The entries again and again; texts are numbered, so that no two are the same. */
function entries(current: unknown, count: number): unknown[] {
  const given = Array.isArray(current) && current.length > 0 ? current : ["text"];
  return Array.from({ length: count }, (_, index) => {
    const entry: unknown = given[index % given.length];
    return typeof entry === "string" ? `${index}${entry}` : entry;
  });
}

function pairs(current: unknown, count: number, keep: (name: string) => boolean): Record<string, unknown> {
  const given = isObject(current) ? Object.entries(current) : [];
  const [name, value] = given.find(([one]) => keep(`${one}-1`)) ?? ["name", "text"];
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}-${index}`, value]));
}
